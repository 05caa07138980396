-- The span table of the OpenTelemetry Collector's ClickHouse exporter, its 22 columns by name and type. A trace's spans lie
-- together, minute by minute, so that reading a plan touches few granules; what spans are filtered and summed up by are
-- columns that ClickHouse computes itself, since an attribute of a map costs reading all of them. A span that comes again, or
-- ends after it was told of by snapshots, replaces its earlier row, for readers with FINAL at once: that costs less than
-- telling rows apart by their ids. Of the exporter's indexes over maps the one of the spans' values finds rare ones; the others
-- cost more than they spare. A table that a collector made keeps its order and indexes; the ALTERs add what it lacks.
CREATE TABLE IF NOT EXISTS ${database}.otel_traces (
  ${span_columns},
  ${computed_columns},
  ResourceAttributeItems Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  SpanAttributeItems Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(SpanAttributes, 'Array(Tuple(String, String))')),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX idx_span_attr_value mapValues(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_duration Duration TYPE minmax GRANULARITY 1,
  INDEX idx_day Day TYPE minmax GRANULARITY 1
) ENGINE = ReplacingMergeTree(Recency)
PARTITION BY toDate(Timestamp)
PRIMARY KEY (toStartOfMinute(Timestamp), TraceId)
ORDER BY (toStartOfMinute(Timestamp), TraceId, Timestamp, ${row_span}, ServiceName)
SETTINGS index_granularity = 8192, index_granularity_bytes = 2097152, enable_block_number_column = 1,
  ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

ALTER TABLE ${database}.otel_traces ${add_computed_columns};

ALTER TABLE ${database}.otel_traces ADD INDEX IF NOT EXISTS idx_day Day TYPE minmax GRANULARITY 1;

ALTER TABLE ${database}.otel_traces MODIFY SETTING non_replicated_deduplication_window = 10000;
