-- The rows of spans as the indexer reads them, each of a span's rows, with the part that contains it.
SELECT
  ${span_row},
  ${part} AS Part
FROM ${spans} AS span
WHERE TraceId != '' AND ${among}
