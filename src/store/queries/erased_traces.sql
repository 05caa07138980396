-- The traces that contain a plan: as an outermost plan, as a sub-plan, or as the outermost plan of their sub-plans.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind IN ('plan', 'plan.sub', 'plan.root') AND Key = sipHash64({id:String})
