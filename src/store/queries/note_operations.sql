INSERT INTO ${operations} (ServiceName, SpanName, SpanKind, Start, End)
SELECT ServiceName, SpanName, SpanKind, min(toDateTime(Timestamp)), max(toDateTime(Timestamp))
FROM ${spans}
WHERE _part IN {parts:Array(String)} AND _block_number > {after:UInt64} AND ServiceName != ''
GROUP BY ServiceName, SpanName, SpanKind
