-- One row is one ExportTraceServiceRequest as ClickHouse's Protobuf format reads it (request.proto). The table stores
-- nothing. span_count is the receiver's count of spans: the view rejects a batch in which ClickHouse reads another
-- number.
CREATE TABLE IF NOT EXISTS ${database}.otlp_protobuf (
  resource_spans Array(Tuple(
    resource Tuple(attributes Array(Tuple(key String, value Tuple(
      string_value Nullable(String), bool_value Nullable(Bool), int_value Nullable(Int64), double_value Nullable(Float64),
      array_value Nullable(String), kvlist_value Nullable(String), bytes_value Nullable(String))))),
    scope_spans Array(Tuple(
      scope Tuple(name String, version String),
      spans Array(Tuple(
        trace_id String, span_id String, trace_state String, parent_span_id String, name String, kind Int32,
        start_time_unix_nano UInt64, end_time_unix_nano UInt64,
        attributes Array(Tuple(key String, value Tuple(
          string_value Nullable(String), bool_value Nullable(Bool), int_value Nullable(Int64), double_value Nullable(Float64),
          array_value Nullable(String), kvlist_value Nullable(String), bytes_value Nullable(String)))),
        events Array(Tuple(time_unix_nano UInt64, name String, attributes Array(Tuple(key String, value Tuple(
          string_value Nullable(String), bool_value Nullable(Bool), int_value Nullable(Int64), double_value Nullable(Float64),
          array_value Nullable(String), kvlist_value Nullable(String), bytes_value Nullable(String)))))),
        links Array(Tuple(trace_id String, span_id String, trace_state String, attributes Array(Tuple(key String, value Tuple(
          string_value Nullable(String), bool_value Nullable(Bool), int_value Nullable(Int64), double_value Nullable(Float64),
          array_value Nullable(String), kvlist_value Nullable(String), bytes_value Nullable(String)))))),
        status Tuple(message String, code Int32)
      ))
    ))
  )),
  span_count UInt32
) ENGINE = Null;

-- With parentheses, `(span).name` is an element of a tuple. For `span.name`, ClickHouse searches all nested elements of
-- the tuple, which takes as long as the rest of an insert of few spans.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otlp_protobuf_mv TO ${database}.otel_traces AS
WITH
  value -> coalesce(
    (value).string_value, toString((value).int_value), toString((value).bool_value), toString((value).double_value),
    substring(toString(throwIf(
      isNotNull((value).array_value) OR isNotNull((value).kvlist_value) OR isNotNull((value).bytes_value),
      'planspan: an attribute value is an array, a map or bytes instead of text')), 2)) AS toText,
  -- Sorts by key and position, because arraySort is not stable and duplicate keys have to keep their order.
  attributes -> CAST(
    arraySort((kv, i) -> (kv.1, i), arrayMap(kv -> ((kv).key, toText((kv).value)), attributes), arrayEnumerate(attributes)),
    'Map(LowCardinality(String), String)') AS toMap
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
        span_count != arraySum(r -> arraySum(s -> length((s).spans), (r).scope_spans), resource_spans),
        'planspan: the number of spans that ClickHouse read differs from the count of the receiver') = 0
    )
  )
);
