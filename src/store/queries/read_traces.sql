SELECT
  ${span_row}${more}
FROM ${database}.otel_traces AS span
PREWHERE ${in_places}
WHERE ${among}
LIMIT 1 BY TraceId, SpanId
