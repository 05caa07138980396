-- What plans come to, each with its sub-plans, and by '' the whole trace: ended spans, those with an error, the tokens of model
-- calls, what those with a known price cost in billionths of a US dollar (-1 without any), the highest risk. However often a
-- span was sent, it counts once; whole numbers have the same sum in any order.
SELECT
  TraceId AS traceId,
  arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS planId,
  uniqExact(SpanId) AS spans,
  uniqExactIf(SpanId, HasError) AS errors,
  groupUniqArrayIf((cityHash64(SpanId), ifNull(TotalTokens, 0), ifNull(toInt64(round(CostUsd * 1000000000)), -1)), Role = 'llm') AS calls,
  arraySum(call -> call.2, calls) AS tokens,
  if(arrayExists(call -> call.3 >= 0, calls), arraySum(call -> greatest(call.3, 0), calls), -1) AS cost,
  max(RiskScore) AS risk
FROM (
  SELECT call.*, ${call_cost} AS CostUsd
  FROM (
    SELECT
      TraceId,
      PlanId,
      RootPlanId,
      SpanId,
      StatusCode = 'Error' AS HasError,
      toString(Role) AS Role,
      RiskScore,
      toString(if(Model != '', Model, ResponseModel)) AS PricedModel,
      InputTokens,
      OutputTokens,
      CacheReadTokens,
      CacheWriteTokens,
      if(isNull(InputTokens) AND isNull(OutputTokens), StatedTotalTokens, ifNull(InputTokens, 0) + ifNull(OutputTokens, 0)) AS TotalTokens
    FROM ${database}.otel_traces
    WHERE PlanId != '' AND SpanState != ${PENDING}
    AND ${own_spans}
    UNION ALL
    ${foreign_spans}
  ) AS call
  ANY LEFT JOIN (
    ${prices}
  ) AS price ON call.PricedModel = price.PriceModel
)
GROUP BY traceId, planId
