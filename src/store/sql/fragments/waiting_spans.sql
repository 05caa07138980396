-- The spans that have an open wait below them. Of the few traces with a plan that goes on and has one, every span tells its
-- parent, from the wait upwards; what a model did is never between.
SELECT TraceId, arrayJoin(arrayFold(
  (above, level) -> arrayDistinct(arrayConcat(above, arrayMap(id -> Parents[id], above))),
  range(least(length(Parents), 100)),
  arrayMap(wait -> wait.2, arrayFilter(wait -> NOT has(Closed, wait.1), Asked))
)) AS SpanId
FROM (
  WITH
    span.SpanState = ${PENDING} AS Pending,
    if(span.WaitId = '', span.Span, span.WaitId) AS WaitKey,
    span.SpanState != ${PENDING} AND ${wait_told} != 'waiting' AS Closes
  SELECT
    span.TraceId AS TraceId,
    -- Where a plan is over, what is open below it holds up nothing above.
    groupUniqArrayIf(span.Span, span.Role = 'plan' AND Closes) AS OverPlans,
    CAST(arrayFilter(edge -> NOT has(OverPlans, edge.1), groupUniqArray((span.Span, span.Parent))), 'Map(String, String)') AS Parents,
    groupUniqArrayIf((WaitKey, span.Parent), span.Role = 'wait') AS Asked,
    groupUniqArrayIf(WaitKey, span.Role = 'wait' AND Closes) AS Closed
  FROM ${database}.otel_traces AS span
  WHERE span.Role NOT IN ('llm', 'guardrail')
    AND ${in_waiting_traces}
  GROUP BY TraceId
)
