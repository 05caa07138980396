-- The unsafe actions of traces whose outcome is known, and whether each action was taken.
SELECT TraceId AS traceId, SpanId AS spanId, Taken AS taken, JudgedTool AS tool
FROM ${database}.span_rows FINAL
WHERE Role = 'guardrail' AND TraceId IN {traceIds:Array(String)} AND Unsafe AND isNotNull(Taken)
