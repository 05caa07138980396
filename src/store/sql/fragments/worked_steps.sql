-- How far the agents of a plan have come. No snapshot says that one has completed, so that all rows of an agent count alike.
WITH
  span.SpanAttributes[${ATTR.spanState}] = ${PENDING} AS Pending,
  toInt64OrNull(span.SpanAttributes[${ATTR.stepIndex}]) AS StepIndex,
  ${agent_told} AS Told,
  NOT Pending AS Ended,
  ${agent_state} AS State
SELECT
  span.TraceId AS WorkedTrace,
  span.SpanAttributes[${ATTR.planId}] AS WorkedPlan,
  countIf(State != '') AS Rows,
  uniqExactIf(StepIndex, State = 'completed') AS Done,
  groupUniqArrayIf(StepIndex, State != '') AS Begun,
  maxIf(StepIndex, State != '') AS LastIndex,
  argMaxIf(span.SpanAttributes[${ATTR.stepDescription}], span.Timestamp, State != '') AS LastTask
FROM ${database}.otel_traces AS span
WHERE startsWith(span.SpanName, ${OPERATIONS.agent}) AND span.SpanAttributes[${ATTR.spanKind}] = 'agent' AND isNotNull(StepIndex)
GROUP BY WorkedTrace, WorkedPlan
