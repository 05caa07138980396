-- The log records of coding agents, which send no spans that form a plan. Each prompt is a trace of its own, whose id is a
-- hash of the session and the prompt: the records join it in any order, and the same record always has the same row. The
-- mapping makes spans of them.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otel_agent_logs_mv TO ${database}.otel_traces AS
WITH
  arrayFirst(name -> name IN ${agent_event_names}, [LogAttributes['event.name'], EventName, Body]) AS Name,
  ${agent_session} AS Session,
  ${agent_prompt} AS Prompt
SELECT
  log.Timestamp AS Timestamp,
  lower(hex(sipHash128(Session, Prompt))) AS TraceId,
  lower(hex(sipHash64(log.Timestamp, Name, toString(LogAttributes)))) AS SpanId,
  Name AS SpanName,
  'Internal' AS SpanKind,
  log.ServiceName AS ServiceName,
  log.ScopeName AS ScopeName,
  log.ScopeVersion AS ScopeVersion,
  CAST(
    map(${ATTR.spanState}, ${PENDING}, ${ATTR.logEvent}, 'true', ${ATTR.conversationId}, Session),
    'Map(LowCardinality(String), String)'
  ) AS SpanAttributes,
  'Unset' AS StatusCode,
  [log.Timestamp] AS `Events.Timestamp`,
  [Name] AS `Events.Name`,
  [LogAttributes] AS `Events.Attributes`
FROM ${logs} AS log
WHERE Session != '' AND (${agent_events});
