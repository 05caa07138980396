-- One row is one ExportTraceServiceRequest as ClickHouse's Protobuf format reads it (request.proto). The table stores
-- nothing. item_count is the receiver's count of spans: the view rejects a batch in which ClickHouse reads another
-- number.
CREATE TABLE IF NOT EXISTS ${database}.otlp_protobuf (
  resource_spans Array(Tuple(
    resource Tuple(attributes ${protobuf_attributes}),
    scope_spans Array(Tuple(
      scope Tuple(name String, version String),
      spans Array(Tuple(
        trace_id String, span_id String, trace_state String, parent_span_id String, name String, kind Int32,
        start_time_unix_nano UInt64, end_time_unix_nano UInt64,
        attributes ${protobuf_attributes},
        events Array(Tuple(time_unix_nano UInt64, name String, attributes ${protobuf_attributes})),
        links Array(Tuple(trace_id String, span_id String, trace_state String, attributes ${protobuf_attributes})),
        status Tuple(message String, code Int32)
      ))
    ))
  )),
  item_count UInt32
) ENGINE = Null;

-- With parentheses, `(span).name` is an element of a tuple. For `span.name`, ClickHouse searches all nested elements of
-- the tuple, which takes as long as the rest of an insert of few spans.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otlp_protobuf_mv TO ${database}.otel_traces AS
WITH
  ${protobuf_values}
SELECT
  fromUnixTimestamp64Nano(toInt64((span).start_time_unix_nano)) AS Timestamp,
  lower(hex((span).trace_id)) AS TraceId,
  lower(hex((span).span_id)) AS SpanId,
  lower(hex((span).parent_span_id)) AS ParentSpanId,
  (span).trace_state AS TraceState,
  (span).name AS SpanName,
  transform((span).kind, [0, 1, 2, 3, 4, 5], ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'], '') AS SpanKind,
  ServiceName,
  ResourceAttributes,
  ScopeName,
  ScopeVersion,
  toMap((span).attributes) AS SpanAttributes,
  toUInt64(toInt64((span).end_time_unix_nano) - toInt64((span).start_time_unix_nano)) AS Duration,
  transform((span).status.code, [0, 1, 2], ['Unset', 'Ok', 'Error'], '') AS StatusCode,
  (span).status.message AS StatusMessage,
  arrayMap(t -> fromUnixTimestamp64Nano(toInt64(t)), (span).events.time_unix_nano) AS `Events.Timestamp`,
  (span).events.name AS `Events.Name`,
  arrayMap(a -> toMap(a), (span).events.attributes) AS `Events.Attributes`,
  arrayMap(id -> lower(hex(id)), (span).links.trace_id) AS `Links.TraceId`,
  arrayMap(id -> lower(hex(id)), (span).links.span_id) AS `Links.SpanId`,
  (span).links.trace_state AS `Links.TraceState`,
  arrayMap(a -> toMap(a), (span).links.attributes) AS `Links.Attributes`
FROM (
  SELECT ResourceAttributes, ServiceName, (scope_span).scope.name AS ScopeName, (scope_span).scope.version AS ScopeVersion,
    arrayJoin((scope_span).spans) AS span
  FROM (
    SELECT toMap((resource_span).resource.attributes) AS ResourceAttributes, ResourceAttributes['service.name'] AS ServiceName,
      arrayJoin((resource_span).scope_spans) AS scope_span
    FROM (
      SELECT arrayJoin(resource_spans) AS resource_span
      FROM ${database}.otlp_protobuf
      WHERE throwIf(
        item_count != arraySum(r -> arraySum(s -> length((s).spans), (r).scope_spans), resource_spans),
        'planspan: the number of spans that ClickHouse read differs from the count of the receiver') = 0
    )
  )
);
