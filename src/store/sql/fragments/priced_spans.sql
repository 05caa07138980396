SELECT call.*, ${call_cost} AS CostUsd
FROM (
  SELECT
    TraceId,
    PlanId,
    RootPlanId,
    SpanId,
    ParentSpanId,
    StatusCode = 'Error' AS HasError,
    toString(Role) AS Role,
    RiskScore,
    Role = 'guardrail' AND NOT ifNull(IsSafe, Policies IN ('', '[]')) AS IsUnsafe,
    toString(if(Model != '', Model, ResponseModel)) AS PricedModel,
    InputTokens,
    OutputTokens,
    CacheReadTokens,
    CacheWriteTokens,
    if(isNull(InputTokens) AND isNull(OutputTokens), StatedTotalTokens, ifNull(InputTokens, 0) + ifNull(OutputTokens, 0)) AS TotalTokens
  FROM ${database}.otel_traces
  WHERE PlanId != '' AND SpanState != ${PENDING}
  AND ${own_spans}
  ${foreign_spans}
) AS call
ANY LEFT JOIN (
  ${prices}
) AS price ON call.PricedModel = price.PriceModel
