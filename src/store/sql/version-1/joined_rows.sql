-- The rows of spans that may stand for one thing with others: waits, and what plans' later segments tell. They are few, and what
-- they go on with may lie anywhere in the span table: there they would have to be looked for in all of it.
CREATE TABLE IF NOT EXISTS ${database}.joined_rows (
  ${span_columns},
  ${span_row_columns}
) ENGINE = ReplacingMergeTree(Recency)
PARTITION BY toStartOfWeek(Timestamp)
PRIMARY KEY TraceId
ORDER BY (TraceId, Timestamp, ${row_span}, ServiceName)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.joined_rows_mv TO ${database}.joined_rows AS
SELECT ${span_names}
FROM ${spans}
WHERE Role = 'wait' OR (Role = 'plan' AND Segment > 0);
