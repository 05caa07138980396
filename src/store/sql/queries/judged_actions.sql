-- How many actions guardrails judged in plans, each with its sub-plans, and by '' in the whole trace; how many they found unsafe,
-- and what came of these, where that is known: by the view's own rules, of superseded imports too.
SELECT
  TraceId AS traceId,
  arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS planId,
  toUInt32(count()) AS judged,
  toUInt32(countIf(NOT ifNull(IsSafe, empty(Policies)))) AS unsafe,
  toUInt32(countIf(NOT ifNull(IsSafe, empty(Policies)) AND NOT ifNull(ActionTaken, true))) AS unsafeStopped,
  toUInt32(countIf(NOT ifNull(IsSafe, empty(Policies)) AND ifNull(ActionTaken, false))) AS unsafeTaken
FROM (${risks})
WHERE TraceId IN {traceIds:Array(String)}
GROUP BY traceId, planId
