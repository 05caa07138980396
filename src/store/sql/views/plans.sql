SELECT
  ${columns}
FROM ${database}.plan_rows AS span FINAL
WHERE NOT span.Superseded AND span.Listed != 1
