-- The values by which one of several traces with the same id is chosen: the record and the import of an imported trace,
-- and the start of a live trace.
SELECT
  TraceId AS traceId,
  toString(toUnixTimestamp64Nano(min(Timestamp))) AS start,
  toString(max(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS end,
  max(toString(RecordDialect)) AS dialect,
  max(SpanAttributes[${ATTR.recordSource}]) AS source,
  max(SpanAttributes[${ATTR.recordKey}]) AS recordKey,
  max(SpanAttributes[${ATTR.recordDigest}]) AS digest,
  max(toUInt32OrZero(SpanAttributes[${ATTR.recordSpanCount}])) AS recordSpans,
  max(toUInt16OrZero(SpanAttributes[${ATTR.schemaVersion}])) AS mappingVersion,
  max(SpanAttributes[${ATTR.redactedFields}] NOT IN ('', '[]')) = 1 AS redacted,
  countIf(RecordDialect != '' AND SpanState != ${PENDING} AND State NOT IN {unended:Array(String)}) > 0 AS isOver
FROM ${database}.otel_traces
WHERE ${in_places}
GROUP BY TraceId
