-- Plans whose own span has not come, though others of theirs have.
SELECT TraceId, PlanId, Root, Since
FROM (
  SELECT TraceId, PlanId, max(RootPlanId) AS Root, min(Start) AS Since, max(PlanSpan) AS OwnSpan
  FROM ${database}.plan_states
  WHERE TraceId GLOBAL IN (${open_traces})
  GROUP BY TraceId, PlanId
)
WHERE OwnSpan = 0
