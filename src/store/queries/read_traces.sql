SELECT
  ${span_row}${more}
FROM ${database}.otel_traces AS span
WHERE ${in_places}
  AND ${among}
LIMIT 1 BY TraceId, SpanId
