-- The traces that tell of a plan: as one of their own, as one below another, or as the root of what they hold. The states are
-- asked, too, since an erasure that was cut off may have left them alone.
SELECT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind IN ('plan', 'plan.sub', 'plan.root') AND Key = {id:String}
UNION DISTINCT
SELECT TraceId
FROM ${database}.plan_states
WHERE PlanId = {id:String} OR RootPlanId = {id:String}
