-- The traces that carry a key, and until when. A plan's own id, and that of a root plan with spans, is in plan_states alone.
SELECT TraceId, End
FROM ${database}.plan_keys
WHERE Kind = {kind:String} AND Key = {key:String}
UNION ALL
SELECT TraceId, toDateTime(max(End)) AS End
FROM ${database}.plan_states
WHERE {kind:String} IN ('plan', 'plan.root') AND PlanId = {key:String}
GROUP BY TraceId
HAVING {kind:String} = 'plan' OR max(RootPlanId) = ''
