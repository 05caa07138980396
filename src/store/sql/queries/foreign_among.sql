-- Which of some traces have spans of other instrumentations; where there are none at all, nothing is looked for.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.foreign_spans
WHERE (SELECT count() > 0 FROM ${database}.foreign_spans) AND ${spans_of_traces}
