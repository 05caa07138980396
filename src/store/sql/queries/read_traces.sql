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
  ${resource} AS ResourceAttributes,
  ${attributes} AS SpanAttributes,
  arrayMap(t -> toString(toUnixTimestamp64Nano(t)), ${times}) AS EventTimes,
  ${names} AS EventNames,
  ${details} AS EventAttributes,
  `Links.TraceId` AS LinkTraceIds,
  `Links.SpanId` AS LinkSpanIds,
  `Links.Attributes` AS LinkAttributes${more}
FROM ${database}.otel_traces AS span
WHERE ${in_places}
  AND ${among}
LIMIT 1 BY TraceId, SpanId
