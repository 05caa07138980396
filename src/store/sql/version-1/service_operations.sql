-- Services and the names of their spans, for a search form: the span table would have to be read whole for them.
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

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.service_operations_mv TO ${database}.service_operations AS
SELECT ServiceName, SpanName, SpanKind, min(toDateTime(Timestamp)) AS Start, max(toDateTime(Timestamp)) AS End
FROM ${spans}
WHERE ServiceName != ''
GROUP BY ServiceName, SpanName, SpanKind;
