-- The span names of each service, which the indexer records for search forms. Without this table a search form would
-- read the whole span table.
CREATE TABLE IF NOT EXISTS ${database}.service_operations (
  ServiceName LowCardinality(String),
  SpanName LowCardinality(String),
  SpanKind LowCardinality(String),
  Start SimpleAggregateFunction(min, DateTime) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(Start)
ORDER BY (ServiceName, SpanName, SpanKind)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;
