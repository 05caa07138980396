-- The spans that have an open wait below them. Of the few traces with a plan that goes on and has one, every span tells its
-- parent, from the wait upwards; what a model did is never between.
SELECT TraceId, arrayJoin(arrayFold(
  (above, level) -> arrayDistinct(arrayConcat(above, arrayMap(id -> Parents[id], above))),
  range(least(length(Parents), 100)),
  arrayMap(wait -> wait.2, arrayFilter(wait -> NOT has(Closed, wait.1), Asked))
)) AS SpanId
FROM (
  WITH
    span.SpanAttributes[${ATTR.spanState}] = ${PENDING} AS Pending,
    span.SpanAttributes[${ATTR.spanKind}] AS Role,
    if(Pending, span.SpanAttributes[${ATTR.pendingSpanId}], span.SpanId) AS Id,
    if(Pending, span.SpanAttributes[${ATTR.pendingParentSpanId}], span.ParentSpanId) AS Parent,
    if(span.SpanAttributes[${ATTR.waitId}] = '', Id, span.SpanAttributes[${ATTR.waitId}]) AS WaitKey,
    span.SpanAttributes[${ATTR.spanState}] != ${PENDING} AND ${wait_told} != 'waiting' AS Closes
  SELECT
    span.TraceId AS TraceId,
    -- Where a plan is over, what is open below it holds up nothing above.
    groupUniqArrayIf(Id, Role = 'plan' AND Closes) AS OverPlans,
    CAST(arrayFilter(edge -> NOT has(OverPlans, edge.1), groupUniqArray((Id, Parent))), 'Map(String, String)') AS Parents,
    groupUniqArrayIf((WaitKey, Parent), Role = 'wait') AS Asked,
    groupUniqArrayIf(WaitKey, Role = 'wait' AND Closes) AS Closed
  FROM ${database}.otel_traces AS span
  WHERE NOT startsWith(span.SpanName, ${OPERATIONS.llm}) AND NOT startsWith(span.SpanName, ${OPERATIONS.guardrail})
    AND span.TraceId GLOBAL IN (
      SELECT TraceId
      FROM ${database}.plan_states
      WHERE RootPlanId = '' AND TraceId GLOBAL IN (
        SELECT TraceId
        FROM ${database}.plan_states
        WHERE notEmpty(OpenWaits) OR notEmpty(ClosedWaits)
        GROUP BY TraceId
        HAVING arrayExists(wait -> NOT has(groupUniqArrayArray(ClosedWaits), wait.1), groupUniqArrayArray(OpenWaits))
      )
      GROUP BY TraceId, PlanId
      HAVING NOT bitTest(toUInt64(max(Latest)), 31)
    )
  GROUP BY TraceId
)
