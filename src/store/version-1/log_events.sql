-- A log record that is an event of a span is a row of the span table, too. The row has the form of a snapshot, with an id
-- of its own below the span, so that no view or search shows it as a span; readers append it to the events of its span.
-- Log records are events if they have a name, or describe an exception. The same log record always has the same row.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otel_log_events_mv TO ${database}.otel_traces AS
WITH
  if(
    mapContains(log.LogAttributes, 'exception.type') OR mapContains(log.LogAttributes, 'exception.message'),
    ${EVENTS.exception},
    if(log.EventName != '', log.EventName, log.LogAttributes['event.name'])
  ) AS Name
SELECT
  log.Timestamp AS Timestamp,
  log.TraceId AS TraceId,
  lower(hex(sipHash64(log.SpanId, log.Timestamp, Name, log.Body, toString(log.LogAttributes)))) AS SpanId,
  log.SpanId AS ParentSpanId,
  Name AS SpanName,
  'Internal' AS SpanKind,
  log.ServiceName AS ServiceName,
  log.ScopeName AS ScopeName,
  log.ScopeVersion AS ScopeVersion,
  CAST(map(${ATTR.spanState}, ${PENDING}, ${ATTR.logEvent}, 'true'), 'Map(LowCardinality(String), String)') AS SpanAttributes,
  'Unset' AS StatusCode,
  [log.Timestamp] AS `Events.Timestamp`,
  [Name] AS `Events.Name`,
  [if(
    log.Body = '', log.LogAttributes,
    CAST(mapUpdate(map('body', log.Body), CAST(log.LogAttributes, 'Map(String, String)')), 'Map(LowCardinality(String), String)')
  )] AS `Events.Attributes`
FROM ${logs} AS log
WHERE log.TraceId != '' AND log.SpanId != '' AND Name != '';
