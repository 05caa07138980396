-- How many ended spans traces have, and how many of them with an error: of each plan with its sub-plans, and by '' of the trace.
-- The keys of the attributes alone tell a snapshot: they are a twentieth of what the values are. A setting of a subquery is one
-- that a user who may only read may change.
SELECT *
FROM (
  WITH (
    SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND)
    FROM ${database}.otel_traces_trace_id_ts
    WHERE TraceId IN {traceIds:Array(String)}
  ) AS window
  SELECT
    TraceId AS traceId,
    arrayJoin(arrayDistinct(['', SpanAttributes[${ATTR.planId}], SpanAttributes[${ATTR.planRootId}]])) AS planId,
    uniqExact(SpanId) AS spans,
    uniqExactIf(SpanId, StatusCode = 'Error') AS errors
  FROM ${database}.otel_traces
  WHERE TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2
    AND SpanAttributes[${ATTR.planId}] != '' AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
  GROUP BY traceId, planId
  -- Else ClickHouse reads a span's attributes anew for each of them that is asked for.
  SETTINGS optimize_functions_to_subcolumns = 0
)
