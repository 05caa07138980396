-- What model calls cost, US dollars: each once, however often its span was sent.
SELECT TraceId AS traceId, SpanId AS spanId, max(CostUsd) AS costUsd
FROM (
  ${priced_spans}
)
WHERE Role = 'llm' AND isNotNull(CostUsd)
GROUP BY traceId, spanId
