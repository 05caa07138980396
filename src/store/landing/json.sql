-- One row is one ExportTraceServiceRequest as JSON text (RowBinary: body, item_count). The table stores nothing.
-- JSONExtract never fails but returns defaults. The view compares the number of spans with item_count, the receiver's
-- count, to verify that the whole request was read.
CREATE TABLE IF NOT EXISTS ${database}.otlp_json (body String, item_count UInt32) ENGINE = Null;

-- With parentheses, `(span).name` is an element of a tuple. For `span.name`, ClickHouse searches all nested elements of
-- the tuple, which takes as long as the rest of an insert of few spans.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otlp_json_mv TO ${database}.otel_traces AS
WITH
  ${json_values}
SELECT
  fromUnixTimestamp64Nano(toInt64((span).startTimeUnixNano)) AS Timestamp,
  (span).traceId AS TraceId,
  (span).spanId AS SpanId,
  (span).parentSpanId AS ParentSpanId,
  (span).traceState AS TraceState,
  (span).name AS SpanName,
  transform((span).kind, [0, 1, 2, 3, 4, 5], ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'], '') AS SpanKind,
  ServiceName,
  ResourceAttributes,
  ScopeName,
  ScopeVersion,
  toMap((span).attributes) AS SpanAttributes,
  toUInt64(toInt64((span).endTimeUnixNano) - toInt64((span).startTimeUnixNano)) AS Duration,
  transform((span).status.code, [0, 1, 2], ['Unset', 'Ok', 'Error'], '') AS StatusCode,
  (span).status.message AS StatusMessage,
  arrayMap(t -> fromUnixTimestamp64Nano(toInt64(t)), (span).events.timeUnixNano) AS `Events.Timestamp`,
  (span).events.name AS `Events.Name`,
  arrayMap(a -> toMap(a), (span).events.attributes) AS `Events.Attributes`,
  (span).links.traceId AS `Links.TraceId`,
  (span).links.spanId AS `Links.SpanId`,
  (span).links.traceState AS `Links.TraceState`,
  arrayMap(a -> toMap(a), (span).links.attributes) AS `Links.Attributes`
FROM (
  SELECT ResourceAttributes, ServiceName, (scope_span).scope.name AS ScopeName, (scope_span).scope.version AS ScopeVersion,
    arrayJoin((scope_span).spans) AS span
  FROM (
    SELECT toMap((resource_span).resource.attributes) AS ResourceAttributes, ResourceAttributes['service.name'] AS ServiceName,
      arrayJoin((resource_span).scopeSpans) AS scope_span
    FROM (
      SELECT arrayJoin(resourceSpans) AS resource_span
      FROM (
        SELECT item_count, JSONExtract(body, 'Tuple(
      resourceSpans Array(Tuple(
        resource Tuple(attributes ${json_attributes}),
        scopeSpans Array(Tuple(
          scope Tuple(name String, version String),
          spans Array(Tuple(
            traceId String, spanId String, traceState String, parentSpanId String, name String, kind Int32,
            startTimeUnixNano UInt64, endTimeUnixNano UInt64,
            attributes ${json_attributes},
            events Array(Tuple(timeUnixNano UInt64, name String, attributes ${json_attributes})),
            links Array(Tuple(traceId String, spanId String, traceState String, attributes ${json_attributes})),
            status Tuple(message String, code Int32)
          ))
        ))
      )))').resourceSpans AS resourceSpans
        FROM ${database}.otlp_json
      )
      WHERE throwIf(
        item_count != arraySum(r -> arraySum(s -> length((s).spans), (r).scopeSpans), resourceSpans),
        'planspan: the number of spans that ClickHouse read differs from the count of the receiver') = 0
    )
  )
);
