(
  SELECT ${own_columns}
  FROM ${database}.otel_traces AS span ${final}
  PREWHERE span.Role = ${role}${among}
  WHERE span.SpanState != ${PENDING}
    AND span.TraceId GLOBAL NOT IN (SELECT TraceId FROM ${database}.superseded_imports FINAL)
    AND (span.TraceId, span.SpanId) GLOBAL NOT IN (
      SELECT TraceId, SpanId FROM ${database}.span_rows FINAL WHERE Role = ${role} AND Replaces
    )
  ${once}
  UNION ALL
  SELECT ${row_columns}
  FROM ${database}.span_rows AS span FINAL
  WHERE span.Role = ${role}${among}
) AS span
