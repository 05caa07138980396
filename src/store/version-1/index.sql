-- The indexer's positions: the last indexed block of each partition of a span table, by the UUID of the table.
CREATE TABLE IF NOT EXISTS ${database}.index_watermarks (
  Source String CODEC(ZSTD(1)),
  Partition String CODEC(ZSTD(1)),
  Block SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (Source, Partition);

-- The traces of imported records that a later import of the same record replaces.
CREATE TABLE IF NOT EXISTS ${database}.superseded_imports (
  TraceId String CODEC(ZSTD(1)),
  Version UInt64,
  Gone UInt8
) ENGINE = ReplacingMergeTree(Version, Gone)
ORDER BY TraceId
SETTINGS index_granularity = 1024;

-- The traces that the mapping could not read as a whole, and the reason.
CREATE TABLE IF NOT EXISTS ${database}.index_failures (
  TraceId String CODEC(ZSTD(1)),
  Reason String CODEC(ZSTD(1)),
  FailedAt DateTime DEFAULT now(),
  Version UInt64,
  Gone UInt8
) ENGINE = ReplacingMergeTree(Version, Gone)
ORDER BY TraceId
SETTINGS index_granularity = 1024;

-- The rows that the indexer writes for plans, their spans, steps and reviews.
${row_tables}
