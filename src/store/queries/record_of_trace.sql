-- The record that a trace was imported from; no row for a live trace.
SELECT
  RecordDialect AS dialect,
  SpanAttributes[${ATTR.recordSource}] AS source,
  SpanAttributes[${ATTR.recordKey}] AS recordKey
FROM ${database}.otel_traces
WHERE ${in_places} AND RecordDialect != ''
LIMIT 1
