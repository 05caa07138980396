-- The traces of a plan that may be open: of rows that say so the later ones may say else.
SELECT TraceId
FROM (
  SELECT TraceId, max(Latest) AS Latest
  FROM ${database}.plan_states
  WHERE TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE ${may_be_open} = 1)
  GROUP BY TraceId, PlanId
)
WHERE ${may_be_open} = 1
