-- The spans of traces that have ended, one a span id of a trace.
SELECT
  TraceId,
  SpanId,
  ParentSpanId,
  SpanName,
  SpanKind,
  ServiceName,
  ScopeName,
  toString(toUnixTimestamp64Nano(Timestamp)) AS Start,
  toString(toUnixTimestamp64Nano(Timestamp) + toInt64(Duration)) AS End,
  StatusCode,
  StatusMessage,
  ResourceAttributes,
  SpanAttributes,
  arrayMap(t -> toString(toUnixTimestamp64Nano(t)), `Events.Timestamp`) AS EventTimes,
  `Events.Name` AS EventNames,
  `Events.Attributes` AS EventAttributes,
  `Links.TraceId` AS LinkTraceIds,
  `Links.SpanId` AS LinkSpanIds,
  `Links.Attributes` AS LinkAttributes,
  TraceState,
  ScopeVersion
FROM ${database}.otel_traces
WHERE ${in_places}
  AND SpanState != ${PENDING}
LIMIT 1 BY TraceId, SpanId
