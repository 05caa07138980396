SELECT
  ${columns}
FROM ${database}.${table} AS span FINAL
${where}
