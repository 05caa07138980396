SELECT
  ${columns}
FROM ${database}.step_rows AS span FINAL
