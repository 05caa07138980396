-- What the own spans of the plans of a page tell of their steps; what a later segment does not repeat is said by an earlier one.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
  max(toString(RecordDialect)) AS dialect,
  argMaxIf(${current_step} AS Current, (Timestamp, Recency), isNotNull(Current)) AS current,
  argMaxIf(span.Steps AS Texts, (Timestamp, Recency), Texts != '') AS steps,
  argMaxIf(span.StepsJson AS Objects, (Timestamp, Recency), Objects != '') AS stepsJson
FROM ${database}.otel_traces AS span
WHERE Role = 'plan' AND PlanId IN {planIds:Array(String)} AND ${spans_of_traces}
GROUP BY TraceId, PlanId
