-- The steps of the plans of a page, as the view `plans` has them, and how many of them have begun.
SELECT
  plan.KnownPlan AS planId,
  plan.KnownTrace AS traceId,
  ${step_figures},
  toUInt32(StepCount) AS stepCount,
  toUInt32(greatest(toInt64(length(plan.Begun) + StepsUntold), toInt64(StepsCompleted))) AS stepsBegun,
  toUInt32(StepsCompleted) AS stepsCompleted,
  substringUTF8(CurrentStep, 1, 500) AS currentStep
FROM (
  SELECT known.*, own.Dialect AS Dialect, own.CurrentStepIndex AS CurrentStepIndex, ${listed_steps} AS Listed
  FROM (
    SELECT
      TraceId,
      PlanId,
      max(toString(RecordDialect)) AS Dialect,
      toInt64OrNull(argMaxIf(SpanAttributes[${ATTR.planCurrentStepIndex}] AS Current, (Timestamp, Recency), Current != '')) AS CurrentStepIndex,
      JSONExtract(argMaxIf(SpanAttributes[${ATTR.planSteps}] AS Texts, (Timestamp, Recency), Texts != ''), 'Array(String)') AS Steps,
      argMaxIf(SpanAttributes[${ATTR.planStepsJson}] AS Objects, (Timestamp, Recency), Objects != '') AS StepsJson
    FROM ${database}.otel_traces
    WHERE Role = 'plan' AND PlanId IN {planIds:Array(String)} AND ${spans_of_traces}
    GROUP BY TraceId, PlanId
  ) AS own
  RIGHT JOIN (
    SELECT * FROM (${known_steps}) WHERE KnownTrace IN {traceIds:Array(String)} AND KnownPlan IN {planIds:Array(String)}
  ) AS known ON own.TraceId = known.KnownTrace AND own.PlanId = known.KnownPlan
) AS plan
