-- The rows of spans that the indexer reads: all rows of each span, with the part that contains the row.
SELECT
  ${span_row},
  ${part} AS Part
FROM ${spans} AS span
WHERE TraceId != '' AND ${among}
