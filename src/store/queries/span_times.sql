-- The first and the last start of all spans; no row for an empty table. ClickHouse keeps the range of Timestamp for
-- each part, because the table is partitioned by it, and answers without reading rows.
SELECT toString(toUnixTimestamp64Nano(min(Timestamp))) AS first, toString(toUnixTimestamp64Nano(max(Timestamp))) AS last
FROM ${database}.otel_traces
HAVING count() > 0
