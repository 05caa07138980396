SELECT
  call.*,
  if(call.Model != '', call.Model, call.ResponseModel) AS PricedModel,
  multiIf(
    call.UsageSource != '', call.UsageSource,
    (call.TraceId, call.ParentSpanId) GLOBAL IN (SELECT TraceId, SpanId FROM ${all_guardrail_rows}), 'world_model',
    'agent'
  ) AS UsageRole,
  if(
    isNull(call.InputTokens) AND isNull(call.OutputTokens),
    call.StatedTotalTokens,
    ifNull(call.InputTokens, 0) + ifNull(call.OutputTokens, 0)
  ) AS TotalTokens,
  ${call_cost} AS CostUsd
FROM (
  ${llm}
  UNION ALL
  ${foreign_llm}
) AS call
ANY LEFT JOIN (
  ${prices}
) AS price ON PricedModel = price.PriceModel
