-- What plans come to, each with its sub-plans, and by '' the whole trace: the tokens of model calls, and what those with a known
-- price cost in billionths of a US dollar (-1 without any). However often a span was sent, it counts once; whole numbers have the
-- same sum in any order.
SELECT
  TraceId AS traceId,
  arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS planId,
  groupUniqArrayIf((
    cityHash64(SpanId),
    ifNull(TotalTokens, 0),
    ifNull(toInt64(round(CostUsd * 1000000000)), -1)
  ), Role = 'llm') AS calls,
  arraySum(call -> call.2, calls) AS tokens,
  if(arrayExists(call -> call.3 >= 0, calls), arraySum(call -> greatest(call.3, 0), calls), -1) AS cost
FROM (
  ${priced_spans}
)
GROUP BY traceId, planId
