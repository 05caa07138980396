-- How far the indexer has come: the last block of a span table, by the table's UUID and the partition, whose rows it has indexed.
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

-- The traces that the mapping could not read, and why.
CREATE TABLE IF NOT EXISTS ${database}.index_failures (
  TraceId String CODEC(ZSTD(1)),
  Reason String CODEC(ZSTD(1)),
  FailedAt DateTime DEFAULT now(),
  Version UInt64,
  Gone UInt8
) ENGINE = ReplacingMergeTree(Version, Gone)
ORDER BY TraceId
SETTINGS index_granularity = 1024;

-- What the indexer writes of plans.
${row_tables}
