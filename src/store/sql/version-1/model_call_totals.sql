-- What the metrics of model calls tell: of each hour and set of attributes how many calls there were, and of what size. It is
-- worked out anew whenever calls of the hour have come, and the most that was ever found counts: a call that comes twice
-- changes nothing, and what is dropped or erased later has been counted. No row tells of a plan, and none ages.
CREATE TABLE IF NOT EXISTS ${database}.model_call_totals (
  Hour DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
  -- 'duration', or the kind of tokens
  Measure LowCardinality(String),
  Provider LowCardinality(String),
  Model LowCardinality(String),
  ResponseModel LowCardinality(String),
  ErrorType LowCardinality(String),
  -- how many calls were at most as large as each bound, and how many there were: whatever a call turns out to be, none falls
  Counts AggregateFunction(maxForEach, Array(UInt64)) CODEC(ZSTD(1)),
  -- nanoseconds or tokens
  Total SimpleAggregateFunction(max, UInt128) CODEC(ZSTD(1)),
  -- of the hour's rows as they were when this was worked out, so that nothing is done where nothing has come
  Checksum SimpleAggregateFunction(anyLast, UInt64) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(Hour)
ORDER BY (Hour, Measure, Provider, Model, ResponseModel, ErrorType)
SETTINGS index_granularity = 1024;
