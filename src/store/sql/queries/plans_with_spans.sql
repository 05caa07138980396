-- The plans that have spans as asked for, with those of their sub-plans, and by '' the whole trace. A plan's spans begin with it
-- or later.
SELECT TraceId, arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS Plan
FROM (
  ${searched_spans}
)
GROUP BY TraceId, Plan
HAVING ${holds}
