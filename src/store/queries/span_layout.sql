-- Whether the span table replaces a span's earlier rows, and the number of its parts without the computed columns.
SELECT
  (SELECT toUInt8(max(engine LIKE '%ReplacingMergeTree' OR engine = 'Distributed')) FROM system.tables
    WHERE database = {database:String} AND name = 'otel_traces') AS isOrdered,
  toUInt32((SELECT count() FROM system.parts WHERE database = {database:String} AND table = 'otel_traces' AND active)
    - (SELECT count() FROM system.parts_columns
      WHERE database = {database:String} AND table = 'otel_traces' AND active AND column = 'Recency')) AS olderParts
