-- The figures of the plans of a page.
SELECT *
FROM (
  SELECT
    traceId, planId, spans, errors, failures, tokens, cost, inputTokens, outputTokens, cacheReadTokens, risk, guardrails
  FROM (
    ${figures}
  )
  -- Else ClickHouse reads a span's attributes anew for each of them that is asked for.
  SETTINGS optimize_functions_to_subcolumns = 0
)
