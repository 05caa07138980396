-- The figures of the plans of a page.
SELECT *
FROM (
  WITH (
    SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
    FROM ${database}.otel_traces_trace_id_ts
    WHERE TraceId IN {traceIds:Array(String)}
  ) AS window
  SELECT
    traceId, planId, spans, errors, failures, tokens, cost, inputTokens, outputTokens, cacheReadTokens, risk, guardrails
  FROM (
    ${figures}
  )
  -- Else ClickHouse reads a span's attributes anew for each of them that is asked for.
  SETTINGS optimize_functions_to_subcolumns = 0
)
