SELECT
  ${columns}
FROM ${database}.review_rows AS span FINAL
