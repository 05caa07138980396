-- What the plans of a page come to: ended spans, those with an error and what they are below, the tokens of model calls, what those
-- with a known price cost in billionths of a US dollar (-1 without any), the highest risk, and below what an action was found unsafe.
-- However often a span was sent, it counts once; whole numbers have the same sum in any order.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
  Root AS rootPlanId,
  Spans AS spans,
  Failed AS failed,
  arraySum(Calls.2) AS tokens,
  if(arrayExists(cost -> cost >= 0, Calls.3), arraySum(cost -> greatest(cost, 0), Calls.3), -1) AS cost,
  arraySum(Calls.4) AS inputTokens,
  arraySum(Calls.5) AS outputTokens,
  arraySum(Calls.6) AS cacheReadTokens,
  Risk AS risk,
  Unsafe AS unsafeBelow
FROM (
  SELECT
    TraceId,
    PlanId,
    if(RootPlanId = '', PlanId, RootPlanId) AS Root,
    uniqExact(SpanId) AS Spans,
    groupUniqArrayIf((SpanId, ParentSpanId), HasError) AS Failed,
    groupUniqArrayIf((
      cityHash64(SpanId),
      ifNull(TotalTokens, 0),
      ifNull(toInt64(round(CostUsd * 1000000000)), -1),
      ifNull(InputTokens, 0),
      ifNull(OutputTokens, 0),
      ifNull(CacheReadTokens, 0)
    ), Role = 'llm') AS Calls,
    max(RiskScore) AS Risk,
    groupUniqArrayIf(ParentSpanId, IsUnsafe) AS Unsafe
  FROM (
    ${priced_spans}
  )
  GROUP BY TraceId, PlanId, Root
  -- Else ClickHouse reads a span's attributes anew for each of them that is asked for.
  SETTINGS optimize_functions_to_subcolumns = 0
)
