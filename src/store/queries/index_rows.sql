-- The rows of spans as the indexer reads them, each of a span's rows.
SELECT
  ${span_row}
FROM ${spans} AS span
WHERE TraceId != '' AND ${among}
