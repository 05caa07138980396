-- The same as otlp_protobuf, for ExportLogsServiceRequests and otel_logs.
CREATE TABLE IF NOT EXISTS ${database}.otlp_logs_protobuf (
  resource_logs Array(Tuple(
    resource Tuple(attributes ${protobuf_attributes}),
    scope_logs Array(Tuple(
      scope Tuple(name String, version String, attributes ${protobuf_attributes}),
      log_records Array(Tuple(
        time_unix_nano UInt64, observed_time_unix_nano UInt64, severity_number Int32, severity_text String,
        body ${protobuf_value},
        attributes ${protobuf_attributes},
        flags UInt32, trace_id String, span_id String, event_name String
      )),
      schema_url String
    )),
    schema_url String
  )),
  item_count UInt32
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otlp_logs_protobuf_mv TO ${database}.otel_logs AS
WITH
  ${protobuf_values}
SELECT
  fromUnixTimestamp64Nano(toInt64(
    if((log).time_unix_nano = 0, (log).observed_time_unix_nano, (log).time_unix_nano))) AS Timestamp,
  lower(hex((log).trace_id)) AS TraceId,
  lower(hex((log).span_id)) AS SpanId,
  toUInt8((log).flags) AS TraceFlags,
  (log).severity_text AS SeverityText,
  toUInt8((log).severity_number) AS SeverityNumber,
  ServiceName,
  toText((log).body) AS Body,
  ResourceSchemaUrl,
  ResourceAttributes,
  (scope_log).schema_url AS ScopeSchemaUrl,
  (scope_log).scope.name AS ScopeName,
  (scope_log).scope.version AS ScopeVersion,
  toMap((scope_log).scope.attributes) AS ScopeAttributes,
  toMap((log).attributes) AS LogAttributes,
  (log).event_name AS EventName
FROM (
  SELECT ResourceSchemaUrl, ResourceAttributes, ServiceName, scope_log, arrayJoin((scope_log).log_records) AS log
  FROM (
    SELECT (resource_log).schema_url AS ResourceSchemaUrl, toMap((resource_log).resource.attributes) AS ResourceAttributes,
      ResourceAttributes['service.name'] AS ServiceName, arrayJoin((resource_log).scope_logs) AS scope_log
    FROM (
      SELECT arrayJoin(resource_logs) AS resource_log
      FROM ${database}.otlp_logs_protobuf
      WHERE throwIf(
        item_count != arraySum(r -> arraySum(s -> length((s).log_records), (r).scope_logs), resource_logs),
        'planspan: the number of log records that ClickHouse read differs from the count of the receiver') = 0
    )
  )
);
