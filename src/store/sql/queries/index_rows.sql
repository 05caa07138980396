-- Spans as the indexer reads them: without what a call said and answered, unless it is open.
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
  map() AS NoResource,
  if(${is_lean}, mapFilter((key, value) -> key NOT IN (${content_keys}), span.SpanAttributes), span.SpanAttributes) AS Attributes,
  if(${is_silent}, [], arrayMap(t -> toString(toUnixTimestamp64Nano(t)), span.`Events.Timestamp`)) AS EventTimes,
  if(${is_silent}, [], span.`Events.Name`) AS EventNames,
  if(${is_silent}, [], span.`Events.Attributes`) AS EventAttributes,
  `Links.TraceId` AS LinkTraceIds,
  `Links.SpanId` AS LinkSpanIds,
  `Links.Attributes` AS LinkAttributes
FROM ${spans} AS span
WHERE TraceId != '' AND ${among}
