-- The plans in which is what is asked for, what is in their sub-plans counted in, and by '' the whole trace. A plan's spans begin
-- with it or later.
SELECT TraceId, arrayJoin(arrayDistinct(['', PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS Plan
FROM ${database}.plan_contents
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces} AND (${has})
GROUP BY TraceId, Plan
HAVING ${holds}
