-- The spans that have an open wait below them. Of the few traces with a plan that goes on and has one, every span tells its
-- parent, from the wait upwards; what a model did is never between. A wait that was heard of since its plan's latest segment began
-- holds up the agent that goes on with the one above it, too.
WITH
  arrayFilter(wait -> NOT has(Closed, wait.1), Asked) AS Open,
  range(least(length(Parents), 100)) AS Levels
SELECT TraceId, arrayJoin(arrayDistinct(arrayConcat(
  arrayFold((above, level) -> arrayDistinct(arrayConcat(above, arrayMap(id -> Parents[id], above))), Levels, Open.2),
  arrayFold(
    (above, level) -> arrayDistinct(arrayConcat(above, arrayMap(id -> Parents[id], above), arrayMap(id -> GoesOn[id], above))),
    if(empty(GoesOn), [], Levels),
    arrayMap(wait -> wait.2, arrayFilter(wait -> arrayAll(since -> since.1 != wait.3 OR since.2 <= wait.4, Segments), Open))
  )
))) AS SpanId
FROM (
  WITH
    span.SpanState = ${PENDING} AS Pending,
    if(span.WaitId = '', span.Span, span.WaitId) AS WaitKey,
    if(span.RootPlanId = '', span.PlanId, span.RootPlanId) AS Root,
    span.SpanState != ${PENDING} AND ${wait_told} != 'waiting' AS Closes
  SELECT
    span.TraceId AS TraceId,
    -- Where a plan is over, what is open below it holds up nothing above.
    groupUniqArrayIf(span.Span, span.Role = 'plan' AND Closes) AS OverPlans,
    CAST(arrayFilter(edge -> NOT has(OverPlans, edge.1), groupUniqArray((span.Span, span.Parent))), 'Map(String, String)') AS Parents,
    arraySort(groupUniqArrayIf((Root, span.PlanId, span.StepId, span.Timestamp, span.Span), span.Role = 'agent' AND span.StepId != '')) AS Agents,
    groupUniqArrayIf((Root, span.Timestamp), span.Role = 'plan' AND span.Segment > 0) AS Segments,
    CAST(arrayMap(
      pair -> (pair.1.5, pair.2.5),
      arrayFilter(
        pair -> (pair.1.1, pair.1.2, pair.1.3) = (pair.2.1, pair.2.2, pair.2.3)
          AND arrayExists(since -> since.1 = pair.1.1 AND pair.1.4 < since.2 AND since.2 <= pair.2.4, Segments),
        arrayZip(arrayPopBack(Agents), arrayPopFront(Agents))
      )
    ), 'Map(String, String)') AS GoesOn,
    groupUniqArrayIf(
      (WaitKey, span.Parent, Root, fromUnixTimestamp64Nano(toUnixTimestamp64Nano(span.Timestamp) + greatest(toInt64(span.Duration), 0))),
      span.Role = 'wait'
    ) AS Asked,
    groupUniqArrayIf(WaitKey, span.Role = 'wait' AND Closes) AS Closed
  FROM ${database}.otel_traces AS span
  WHERE span.Role NOT IN ('llm', 'guardrail')
    AND ${in_waiting_traces}
  GROUP BY TraceId
)
