-- Grouped by what all rows of a span share, so that filters on time, trace, service and name reach the table's index.
SELECT
  span.Timestamp AS Timestamp,
  span.TraceId AS TraceId,
  span.SpanId AS SpanId,
  any(span.ParentSpanId) AS ParentSpanId,
  any(span.TraceState) AS TraceState,
  span.SpanName AS SpanName,
  any(span.SpanKind) AS SpanKind,
  span.ServiceName AS ServiceName,
  any(span.ResourceAttributes) AS ResourceAttributes,
  any(span.ScopeName) AS ScopeName,
  any(span.ScopeVersion) AS ScopeVersion,
  any(span.SpanAttributes) AS SpanAttributes,
  any(span.Duration) AS Duration,
  any(span.StatusCode) AS StatusCode,
  any(span.StatusMessage) AS StatusMessage,
  any(span.Events.Timestamp) AS `Events.Timestamp`,
  any(span.Events.Name) AS `Events.Name`,
  any(span.Events.Attributes) AS `Events.Attributes`,
  any(span.Links.TraceId) AS `Links.TraceId`,
  any(span.Links.SpanId) AS `Links.SpanId`,
  any(span.Links.TraceState) AS `Links.TraceState`,
  any(span.Links.Attributes) AS `Links.Attributes`
FROM ${database}.otel_traces AS span
WHERE span.SpanAttributes[${ATTR.spanState}] != ${PENDING}
GROUP BY TraceId, SpanId, Timestamp, ServiceName, SpanName
