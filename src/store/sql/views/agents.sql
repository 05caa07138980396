SELECT
  ${columns}
FROM ${database}.span_rows AS span FINAL
WHERE span.Role = 'agent'
