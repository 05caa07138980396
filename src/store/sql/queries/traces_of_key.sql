-- The traces that carry a key, and until when. A plan is found whether it is a root or not; as a root by its own spans, too.
SELECT TraceId, max(End) AS End
FROM ${database}.plan_keys
WHERE Key = {key:String} AND (
  Kind = {kind:String}
  OR (Kind = 'plan.sub' AND {kind:String} = 'plan')
  OR (Kind = 'plan' AND {kind:String} = 'plan.root')
)
GROUP BY TraceId
