-- The exporter's lookup table: the first and the last start of a trace's spans, in seconds, and the hours in which its
-- spans start. A trace that waits for days has spans in few hours. A collector's table has no hours; the ALTERs add
-- them for later spans.
CREATE TABLE IF NOT EXISTS ${database}.otel_traces_trace_id_ts (
  TraceId String CODEC(ZSTD(1)),
  Start SimpleAggregateFunction(min, DateTime) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime) CODEC(ZSTD(1)),
  Hours SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime('UTC'))) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfMonth(Start)
ORDER BY TraceId
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

ALTER TABLE ${database}.otel_traces_trace_id_ts
  ADD COLUMN IF NOT EXISTS Hours SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime('UTC'))) CODEC(ZSTD(1));

ALTER TABLE ${database}.otel_traces_trace_id_ts MODIFY SETTING non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.otel_traces_trace_id_ts_mv TO ${database}.otel_traces_trace_id_ts AS
${trace_times};

ALTER TABLE ${database}.otel_traces_trace_id_ts_mv MODIFY QUERY
${trace_times};
