-- The traces that contain a plan: as their own, as one below another, or as the root of what they hold.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind IN ('plan', 'plan.sub', 'plan.root') AND Key = sipHash64({id:String})
