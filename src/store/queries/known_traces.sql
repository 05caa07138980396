-- The traces, among some ids, with rows in blocks that were indexed before.
SELECT DISTINCT TraceId AS traceId
FROM ${spans}
WHERE ${spans_of_traces} AND _block_number <= {block:UInt64}
