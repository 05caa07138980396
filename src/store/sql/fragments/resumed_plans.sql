-- When the latest segment of each resumed plan began.
WITH span.SpanState = ${PENDING} AS Pending
SELECT TraceId AS ResumedTrace, PlanId AS ResumedPlan, argMax(span.Timestamp, ${plan_recency}) AS Since
FROM ${database}.joined_rows AS span
WHERE Role = 'plan'
GROUP BY ResumedTrace, ResumedPlan
