-- Model calls with whose they are and what they cost.
SELECT
  call.*,
  if(call.Model != '', call.Model, call.ResponseModel) AS PricedModel,
  multiIf(call.UsageSource != '', call.UsageSource, call.Guardrail != '', 'world_model', 'agent') AS UsageRole,
  if(
    isNull(call.InputTokens) AND isNull(call.OutputTokens),
    call.StatedTotalTokens,
    ifNull(call.InputTokens, 0) + ifNull(call.OutputTokens, 0)
  ) AS TotalTokens,
  ${call_cost} AS CostUsd
FROM (
  SELECT call.*, guardrail.Guardrail AS Guardrail
  FROM ${calls_and_guardrails}
  ON guardrail.GuardrailTrace = call.TraceId AND guardrail.Guardrail = call.ParentSpanId
) AS call
ANY LEFT JOIN (
  ${prices}
) AS price ON PricedModel = price.PriceModel
