-- Counts the spans of each service that are children of another service's spans, in the newest traces of an interval.
-- Spans are identified by a hash of their ids, which takes a fifth of the memory.
WITH
  traces AS (
    SELECT TraceId, min(Start) AS First, max(End) AS Last
    FROM ${database}.otel_traces_trace_id_ts
    WHERE End + INTERVAL 1 SECOND >= fromUnixTimestamp64Nano({since:Int64}) AND Start <= fromUnixTimestamp64Nano({until:Int64})
    GROUP BY TraceId
    ORDER BY Last DESC
    LIMIT {traces:UInt32}
  ),
  spans AS (
    SELECT
      sipHash64(TraceId, SpanId) AS Span,
      if(ParentSpanId = '', 0, sipHash64(TraceId, ParentSpanId)) AS Parent,
      ServiceName
    FROM ${database}.otel_traces
    WHERE TraceId GLOBAL IN (SELECT TraceId FROM traces)
      AND Timestamp >= (SELECT toDateTime64(min(First), 9) FROM traces)
      AND Timestamp <= (SELECT toDateTime64(max(Last), 9) + INTERVAL 1 SECOND FROM traces)
      AND SpanState != ${PENDING}
    LIMIT 1 BY Span
  )
SELECT parent.ServiceName AS parent, child.ServiceName AS child, toString(count()) AS calls
FROM (SELECT Parent, ServiceName FROM spans WHERE Parent != 0) AS child
INNER JOIN (SELECT Span, ServiceName FROM spans) AS parent ON child.Parent = parent.Span
GROUP BY parent, child
ORDER BY parent, child
