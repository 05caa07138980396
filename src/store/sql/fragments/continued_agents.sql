-- The agents that a later segment of their plan goes on with: with the last that worked on a step in its segment.
SELECT TraceId, arrayJoin(arrayFilter(
  (agent, next) -> arrayExists(since -> agent.1 < since AND since <= next.1, Segments),
  Agents,
  arrayPushBack(arrayPopFront(Agents), (toDateTime64(0, 9), ''))
)).2 AS SpanId
FROM (
  SELECT
    TraceId,
    RootPlanId AS RootPlan,
    PlanId AS Plan,
    StepId AS Step,
    arraySort(groupUniqArray((Timestamp, Span))) AS Agents
  FROM ${all_agent_rows} AND Step != '' AND TraceId GLOBAL IN (${resumed_traces})
  GROUP BY TraceId, RootPlan, Plan, Step
  HAVING length(Agents) > 1
) AS agent
INNER JOIN (
  SELECT SegmentTrace, SegmentPlan, groupUniqArray(Since) AS Segments
  FROM (
    SELECT ResumedTrace AS SegmentTrace, ResumedPlan AS SegmentPlan, Since FROM (${resumed_plans})
    UNION ALL
    -- plan_states knows when the latest began, and that alone.
    SELECT TraceId, PlanId, Timestamp
    FROM ${all_plan_rows} AND Segment > 0
      AND TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE Latest >= bitShiftLeft(toUInt128(1), 98))
  )
  GROUP BY SegmentTrace, SegmentPlan
) AS segment ON segment.SegmentTrace = agent.TraceId AND segment.SegmentPlan = agent.RootPlan
