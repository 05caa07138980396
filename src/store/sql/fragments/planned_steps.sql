-- The list of a plan's last planning that has one, out of the latest row that tells it.
SELECT PlannedTrace, PlannedPlan, ${listed_steps} AS PlannedList
FROM (
  WITH
    bitShiftLeft(toUInt128(toUnixTimestamp64Nano(Timestamp)), 33)
      + bitShiftLeft(toUInt64(SpanAttributes[${ATTR.spanState}] != ${PENDING}), 32)
      + toUInt32OrZero(SpanAttributes[${ATTR.snapshotSeq}]) AS Recency
  SELECT
    TraceId AS PlannedTrace,
    SpanAttributes[${ATTR.planId}] AS PlannedPlan,
    JSONExtract(argMax(SpanAttributes[${ATTR.planSteps}], Recency), 'Array(String)') AS Steps,
    argMax(SpanAttributes[${ATTR.planStepsJson}], Recency) AS StepsJson
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.planning}) AND SpanAttributes[${ATTR.spanKind}] = 'planning'
    AND (SpanAttributes[${ATTR.planSteps}] NOT IN ('', '[]') OR SpanAttributes[${ATTR.planStepsJson}] NOT IN ('', '[]'))
  GROUP BY PlannedTrace, PlannedPlan
)
