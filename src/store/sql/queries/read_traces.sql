-- The window is of span starts in whole seconds, so its last second is open at the end.
WITH (
  SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId IN {traceIds:Array(String)}
) AS window
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
  `Links.Attributes` AS LinkAttributes
FROM ${database}.otel_traces AS span
WHERE TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2
  AND (NOT window.3 OR (toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
    SELECT arrayJoin(Minutes), TraceId FROM ${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)}
  ))
LIMIT 1 BY TraceId, SpanId
