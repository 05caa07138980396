-- What is counted of a root plan counts its sub-plans in, what is counted of a sub-plan its own spans alone.
SELECT
  plan.* REPLACE (
    multiIf(
      plan.State IN ('completed', 'failed', 'cancelled', 'interrupted', 'waiting'), plan.State,
      ifNull(plan.Waiting, false), 'waiting',
      record.RecordDialect = '' AND seen.Heartbeat > 0 AND dateDiff('millisecond', seen.LatestEnd, now64(9)) > seen.Heartbeat, 'interrupted',
      plan.State
    ) AS State,
    coalesce(plan.DurationMs, plan.TotalDurationSeconds * 1000) AS DurationMs
  ),
  record.RecordDialect != '' OR plan.RootPlanId = plan.PlanId AS IsRoot,
  record.RecordDialect AS Dialect,
  record.RecordSource AS Source,
  seen.LatestEnd AS LastSeen,
  step.Count AS StepCount,
  step.Done AS StepsCompleted,
  multiIf(
    State = 'completed', 100.,
    isNotNull(plan.StatedProgressPercent), plan.StatedProgressPercent,
    step.Count > 0, 100. * step.Done / step.Count,
    NULL
  ) AS ProgressPercent,
  step.Titles[coalesce(plan.CurrentStepIndex, step.LastBegun)] AS CurrentStep,
  seen.EndedSpans AS Spans,
  seen.FailedSpans AS Errors
FROM (${plan}) AS plan
ANY LEFT JOIN (
  SELECT TraceId AS RecordTrace, PlanId AS RecordPlan, max(Dialect) AS RecordDialect, max(Source) AS RecordSource
  FROM ${database}.plan_states
  GROUP BY RecordTrace, RecordPlan
) AS record ON record.RecordTrace = plan.TraceId AND record.RecordPlan = plan.PlanId
ANY LEFT JOIN (
  SELECT
    TraceId AS SeenTrace,
    arrayJoin(arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS SeenPlan,
    max(End) AS LatestEnd,
    max(HeartbeatMs) AS Heartbeat,
    uniqExactIfMerge(Spans) AS EndedSpans,
    uniqExactIfMerge(Errors) AS FailedSpans
  FROM ${database}.plan_states
  GROUP BY SeenTrace, SeenPlan
) AS seen ON seen.SeenTrace = plan.TraceId AND seen.SeenPlan = if(record.RecordDialect = '', plan.PlanId, plan.RootPlanId)
ANY LEFT JOIN (
  SELECT
    TraceId AS StepTrace,
    PlanId AS StepPlan,
    count() AS Count,
    countIf(State = 'completed') AS Done,
    maxIf(StepIndex, Attempts > 0) AS LastBegun,
    mapFromArrays(groupArray(StepIndex), groupArray(Title)) AS Titles
  FROM ${database}.steps
  GROUP BY StepTrace, StepPlan
) AS step ON step.StepTrace = plan.TraceId AND step.StepPlan = plan.PlanId
