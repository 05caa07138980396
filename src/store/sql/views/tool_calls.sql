SELECT
  ${columns}
FROM ${calls}
