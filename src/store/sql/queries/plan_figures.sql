-- What plans come to, each with its sub-plans, and by '' the whole trace: ended spans, those with an error, those of them with none
-- right below, the tokens of model calls, what those with a known price cost in billionths of a US dollar (-1 without any), the
-- highest risk, the guardrails. However often a span was sent, it counts once; whole numbers have the same sum in any order.
SELECT
  TraceId AS traceId,
  arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS planId,
  uniqExact(SpanId) AS spans,
  groupUniqArrayIf(SpanId, HasError) AS failed,
  length(failed) AS errors,
  errors - length(arrayIntersect(failed, groupUniqArrayIf(ParentSpanId, HasError))) AS failures,
  groupUniqArrayIf((
    cityHash64(SpanId),
    ifNull(TotalTokens, 0),
    ifNull(toInt64(round(CostUsd * 1000000000)), -1),
    ifNull(InputTokens, 0),
    ifNull(OutputTokens, 0),
    ifNull(CacheReadTokens, 0)
  ), Role = 'llm') AS calls,
  arraySum(call -> call.2, calls) AS tokens,
  if(arrayExists(call -> call.3 >= 0, calls), arraySum(call -> greatest(call.3, 0), calls), -1) AS cost,
  arraySum(call -> call.4, calls) AS inputTokens,
  arraySum(call -> call.5, calls) AS outputTokens,
  arraySum(call -> call.6, calls) AS cacheReadTokens,
  max(RiskScore) AS risk,
  countIf(Role = 'guardrail') AS guardrails
FROM (
  ${priced_spans}
)
GROUP BY traceId, planId
