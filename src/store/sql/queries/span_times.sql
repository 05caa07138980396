-- Both are known without reading a row, since partitions are by Timestamp.
SELECT
  toString(toUnixTimestamp64Nano(min(Timestamp))) AS first,
  toString(toUnixTimestamp64Nano(max(Timestamp))) AS last,
  toString(count()) AS spans
FROM ${database}.otel_traces
