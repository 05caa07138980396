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
  if(
    price.PriceModel = '' OR isNull(TotalTokens), NULL,
    (
      greatest(ifNull(call.InputTokens, 0) - ifNull(call.CacheReadTokens, 0) - ifNull(call.CacheWriteTokens, 0), 0) * price.InputUsd
      + ifNull(call.CacheReadTokens, 0) * ifNull(price.CacheReadUsd, price.InputUsd)
      + ifNull(call.CacheWriteTokens, 0) * ifNull(price.CacheWriteUsd, price.InputUsd)
      + ifNull(call.OutputTokens, 0) * price.OutputUsd
    ) / 1000000
  ) AS CostUsd
FROM (
  ${llm}
  UNION ALL
  ${foreign_llm}
) AS call
ANY LEFT JOIN (
  SELECT
    Model AS PriceModel,
    argMax(InputUsdPerMillionTokens, UpdatedAt) AS InputUsd,
    argMax(OutputUsdPerMillionTokens, UpdatedAt) AS OutputUsd,
    argMax(tuple(CacheReadUsdPerMillionTokens), UpdatedAt).1 AS CacheReadUsd,
    argMax(tuple(CacheWriteUsdPerMillionTokens), UpdatedAt).1 AS CacheWriteUsd
  FROM ${database}.model_prices
  WHERE Model != ''
  GROUP BY PriceModel
) AS price ON PricedModel = price.PriceModel
