-- An agent that a later segment goes on with is that segment's row.
SELECT agent.*
FROM (${open_agent}) AS agent
ANY LEFT JOIN (
  SELECT
    TraceId AS LaterTrace,
    SpanAttributes[${ATTR.planId}] AS LaterPlan,
    SpanAttributes[${ATTR.stepId}] AS LaterStep,
    max(Timestamp) AS LaterStart
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.agent}) AND SpanAttributes[${ATTR.spanKind}] = 'agent' AND LaterStep != ''
    AND TraceId GLOBAL IN (SELECT ResumedTrace FROM (${resumed_plans}))
  GROUP BY LaterTrace, LaterPlan, LaterStep
) AS later ON later.LaterTrace = agent.TraceId AND later.LaterPlan = agent.PlanId AND later.LaterStep = agent.StepId
WHERE NOT (fromUnixTimestamp64Nano(agent.LastNanoseconds) < agent.LatestSegment AND later.LaterStart >= agent.LatestSegment)
