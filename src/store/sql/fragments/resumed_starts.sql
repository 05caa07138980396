-- When the plans of traces began in which a plan was resumed.
SELECT TraceId AS ResumedTrace, PlanId AS ResumedPlan, groupUniqArrayArray(Starts) AS First, if(empty(First), min(Start), arrayMin(First)) AS Began
FROM ${database}.plan_states
WHERE TraceId GLOBAL IN (${resumed_traces})
GROUP BY ResumedTrace, ResumedPlan
