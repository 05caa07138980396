-- The agents that a later segment of their plan goes on with: with the last that worked on a step in its segment.
SELECT TraceId, arrayJoin(arrayFilter(
  (agent, next) -> arrayExists(since -> agent.1 < since AND since <= next.1, Segments),
  Agents,
  arrayPushBack(arrayPopFront(Agents), (toDateTime64(0, 9), ''))
)).2 AS SpanId
FROM (
  SELECT
    TraceId,
    SpanAttributes[${ATTR.planRootId}] AS RootPlan,
    SpanAttributes[${ATTR.planId}] AS Plan,
    SpanAttributes[${ATTR.stepId}] AS Step,
    arraySort(groupUniqArray((
      Timestamp,
      if(SpanAttributes[${ATTR.spanState}] = ${PENDING}, SpanAttributes[${ATTR.pendingSpanId}], SpanId)
    ))) AS Agents
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.agent}) AND SpanAttributes[${ATTR.spanKind}] = 'agent' AND Step != ''
    AND TraceId GLOBAL IN (SELECT ResumedTrace FROM (${resumed_plans}))
  GROUP BY TraceId, RootPlan, Plan, Step
  HAVING length(Agents) > 1
) AS agent
INNER JOIN (
  SELECT SegmentTrace, SegmentPlan, groupUniqArray(Since) AS Segments
  FROM (
    SELECT ResumedTrace AS SegmentTrace, ResumedPlan AS SegmentPlan, Since FROM (${resumed_plans})
    UNION ALL
    -- plan_states knows when the latest began, and that alone.
    SELECT TraceId, SpanAttributes[${ATTR.planId}], Timestamp
    FROM ${database}.otel_traces
    WHERE startsWith(SpanName, ${OPERATIONS.plan}) AND SpanAttributes[${ATTR.spanKind}] = 'plan'
      AND SpanAttributes[${ATTR.planSegment}] NOT IN ('', '0')
      AND TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE bitShiftRight(Latest, 97) > 1)
  )
  GROUP BY SegmentTrace, SegmentPlan
) AS segment ON segment.SegmentTrace = agent.TraceId AND segment.SegmentPlan = agent.RootPlan
