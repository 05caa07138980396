-- Which of some traces have spans of other instrumentations.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.foreign_spans
WHERE ${spans_of_traces}
