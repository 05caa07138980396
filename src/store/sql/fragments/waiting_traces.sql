-- The traces of a plan that goes on in which a wait is open.
SELECT TraceId
FROM ${database}.plan_states
WHERE TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_states
  WHERE TraceId GLOBAL IN (${open_traces}) AND RootPlanId = ''
  GROUP BY TraceId, PlanId
  HAVING NOT bitTest(toUInt64(max(Latest)), 31)
)
GROUP BY TraceId
HAVING arrayExists(wait -> NOT has(groupUniqArrayArray(ClosedWaits), wait.1), groupUniqArrayArray(OpenWaits))
