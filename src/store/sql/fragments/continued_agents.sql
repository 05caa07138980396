-- The agents that a later segment of their plan goes on with: with the last that worked on a step in its segment.
SELECT TraceId, arrayJoin(arrayFilter(
  (agent, next) -> agent.1 = next.1 AND arrayExists(since -> agent.2 < since AND since <= next.2, Segments),
  Agents,
  arrayPushBack(arrayPopFront(Agents), ('', toDateTime64(0, 9), ''))
)).3 AS SpanId
FROM (
  SELECT TraceId, PlanId, max(RootPlanId) AS Root, arraySort(groupUniqArrayArray(StepAgents)) AS Agents
  FROM ${database}.plan_states
  WHERE TraceId GLOBAL IN (${resumed_traces})
  GROUP BY TraceId, PlanId
  HAVING length(Agents) > 1
) AS agent
INNER JOIN (
  SELECT TraceId AS SegmentTrace, PlanId AS SegmentPlan, groupUniqArray(Timestamp) AS Segments
  FROM ${database}.joined_rows
  WHERE Role = 'plan'
  GROUP BY SegmentTrace, SegmentPlan
) AS segment ON segment.SegmentTrace = agent.TraceId AND segment.SegmentPlan = if(agent.Root = '', agent.PlanId, agent.Root)
