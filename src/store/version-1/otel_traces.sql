-- The span table of the OpenTelemetry Collector's ClickHouse exporter, with its 22 columns by name and type.
--
-- Spans are sorted by hour and trace, in small granules, so that reading a plan decompresses about one megabyte of a
-- part. Attributes by which spans are filtered or aggregated are computed columns, because reading one attribute of a
-- map reads the whole map. A span that is sent again, or that ends after snapshots of it, replaces its earlier row:
-- queries with FINAL return one row per span. The table has only two of the exporter's indexes, those on attribute
-- values and durations: the others find nothing that the sorting key does not. The indexer reads new rows by their
-- block numbers.
--
-- The ALTERs add the computed columns, also to a table that a collector created. Such a table keeps its sorting key and
-- its indexes.
CREATE TABLE IF NOT EXISTS ${database}.otel_traces (
  ${span_columns},
  ${key_columns},
  INDEX idx_span_attr_value mapValues(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 2,
  INDEX idx_duration Duration TYPE minmax GRANULARITY 1
) ENGINE = ReplacingMergeTree(Recency)
PARTITION BY toDate(Timestamp)
PRIMARY KEY (toStartOfHour(Timestamp, 'UTC'), TraceId)
ORDER BY (toStartOfHour(Timestamp, 'UTC'), TraceId, Timestamp, ${row_span}, ServiceName)
SETTINGS index_granularity = 8192, index_granularity_bytes = 1048576, min_compress_block_size = 65536,
  max_compress_block_size = 262144, vertical_merge_algorithm_min_rows_to_activate = 32768, enable_block_number_column = 1,
  ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

ALTER TABLE ${database}.otel_traces ${add_computed_columns};

ALTER TABLE ${database}.otel_traces MODIFY SETTING non_replicated_deduplication_window = 10000, enable_block_number_column = 1;
