-- Between which times spans start, no row when there is none. Known without reading one, since partitions are by Timestamp.
SELECT toString(toUnixTimestamp64Nano(min(Timestamp))) AS first, toString(toUnixTimestamp64Nano(max(Timestamp))) AS last
FROM ${database}.otel_traces
HAVING count() > 0
