-- The same as otlp_json, for ExportLogsServiceRequests and otel_logs.
CREATE TABLE IF NOT EXISTS ${database}.otlp_logs_json (body String, item_count UInt32) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otlp_logs_json_mv TO ${database}.otel_logs AS
WITH
  ${json_values}
SELECT
  fromUnixTimestamp64Nano(toInt64(if((log).timeUnixNano = 0, (log).observedTimeUnixNano, (log).timeUnixNano))) AS Timestamp,
  (log).traceId AS TraceId,
  (log).spanId AS SpanId,
  toUInt8((log).flags) AS TraceFlags,
  (log).severityText AS SeverityText,
  toUInt8((log).severityNumber) AS SeverityNumber,
  ServiceName,
  toText((log).body) AS Body,
  ResourceSchemaUrl,
  ResourceAttributes,
  (scope_log).schemaUrl AS ScopeSchemaUrl,
  (scope_log).scope.name AS ScopeName,
  (scope_log).scope.version AS ScopeVersion,
  toMap((scope_log).scope.attributes) AS ScopeAttributes,
  toMap((log).attributes) AS LogAttributes,
  (log).eventName AS EventName
FROM (
  SELECT ResourceSchemaUrl, ResourceAttributes, ServiceName, scope_log, arrayJoin((scope_log).logRecords) AS log
  FROM (
    SELECT (resource_log).schemaUrl AS ResourceSchemaUrl, toMap((resource_log).resource.attributes) AS ResourceAttributes,
      ResourceAttributes['service.name'] AS ServiceName, arrayJoin((resource_log).scopeLogs) AS scope_log
    FROM (
      SELECT arrayJoin(resourceLogs) AS resource_log
      FROM (
        SELECT item_count, JSONExtract(body, 'Tuple(
      resourceLogs Array(Tuple(
        resource Tuple(attributes ${json_attributes}),
        scopeLogs Array(Tuple(
          scope Tuple(name String, version String, attributes ${json_attributes}),
          logRecords Array(Tuple(
            timeUnixNano UInt64, observedTimeUnixNano UInt64, severityNumber Int32, severityText String, body ${json_value},
            attributes ${json_attributes}, flags UInt32, traceId String, spanId String, eventName String
          )),
          schemaUrl String
        )),
        schemaUrl String
      )))').resourceLogs AS resourceLogs
        FROM ${database}.otlp_logs_json
      )
      WHERE throwIf(
        item_count != arraySum(r -> arraySum(s -> length((s).logRecords), (r).scopeLogs), resourceLogs),
        'planspan: the number of log records that ClickHouse read differs from the count of the receiver') = 0
    )
  )
);
