-- The highest risk of each plan, its sub-plans' counted in, and by '' that of the whole trace.
SELECT
  TraceId AS traceId,
  arrayJoin(arrayDistinct(['', PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS planId,
  max(Risk) AS risk
FROM ${database}.plan_contents
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND isNotNull(Risk)
GROUP BY traceId, planId
