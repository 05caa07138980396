SELECT
  ${columns}
FROM ${calls}
${prices}
