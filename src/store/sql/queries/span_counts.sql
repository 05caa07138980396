-- How many ended spans traces have, and how many of them with an error: of each plan with its sub-plans, and by '' of the trace.
SELECT *
FROM (
  WITH (
    SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
    FROM ${database}.otel_traces_trace_id_ts
    WHERE TraceId IN {traceIds:Array(String)}
  ) AS window
  SELECT
    TraceId AS traceId,
    arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS planId,
    uniqExact(SpanId) AS spans,
    uniqExactIf(SpanId, HasError) AS errors
  FROM (
    SELECT TraceId, PlanId, RootPlanId, SpanId, StatusCode = 'Error' AS HasError
    FROM ${database}.otel_traces
    WHERE TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2
    AND (NOT window.3 OR (toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
      SELECT arrayJoin(Minutes), TraceId FROM ${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)}
    ))
      AND PlanId != '' AND SpanState != ${PENDING}
    UNION ALL
    -- Of other instrumentations' spans not the status alone tells of an error.
    SELECT TraceId, PlanId, RootPlanId, SpanId, Failed
    FROM ${database}.foreign_spans
    WHERE TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2 AND Ended
  )
  GROUP BY traceId, planId
  -- Else ClickHouse reads a span's attributes anew for each of them that is asked for.
  SETTINGS optimize_functions_to_subcolumns = 0
)
