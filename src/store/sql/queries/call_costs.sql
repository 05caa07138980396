-- What model calls cost, US dollars: each once, however often its span was sent.
WITH (
  SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId IN {traceIds:Array(String)}
) AS window
SELECT TraceId AS traceId, SpanId AS spanId, max(CostUsd) AS costUsd
FROM (
  ${priced_spans}
)
WHERE Role = 'llm' AND isNotNull(CostUsd)
GROUP BY traceId, spanId
