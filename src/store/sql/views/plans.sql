-- What is counted of a root plan counts its sub-plans in, what is counted of a sub-plan its own spans alone. The record's own
-- plan is a root, though its root be another that is not in the record.
SELECT
  plan.* REPLACE (
    if(standing.Standing = '', plan.State, standing.Standing) AS State,
    coalesce(plan.DurationMs, plan.TotalDurationSeconds * 1000) AS DurationMs
  ),
  toBool(standing.OwnDialect != '' OR plan.RootPlanId = plan.PlanId) AS IsRoot,
  standing.OwnDialect AS Dialect,
  standing.OwnSource AS Source,
  standing.LastSeen AS LastSeen,
  if(notEmpty(plan.Listed), plan.Listed, planned.PlannedList) AS StepList,
  greatest(length(StepList), ifNull(worked.LastIndex, -1) + 1) AS StepCount,
  if(worked.Agents > 0, worked.Done, countEqual(arrayMap(step -> transform(lower(step.3), ${state_words}, ${word_states}, ''), StepList), 'completed')) AS StepsCompleted,
  multiIf(
    State = 'completed', 100.,
    isNotNull(plan.StatedProgressPercent), plan.StatedProgressPercent,
    StepCount > 0, 100. * StepsCompleted / StepCount,
    NULL
  ) AS ProgressPercent,
  StepList[1 + coalesce(plan.CurrentStepIndex, worked.LastIndex)].2 AS ListedStep,
  if(ListedStep != '', ListedStep, worked.LastTask) AS CurrentStep,
  seen.EndedSpans AS Spans,
  seen.FailedSpans AS Errors
FROM (SELECT *, ${listed_steps} AS Listed FROM (${plan})) AS plan
ANY LEFT JOIN (
  SELECT TraceId AS PlannedTrace, PlanId AS PlannedPlan, argMaxIf(Listed, Timestamp, notEmpty(Listed)) AS PlannedList
  FROM (SELECT *, ${listed_steps} AS Listed FROM (${planning}))
  GROUP BY PlannedTrace, PlannedPlan
) AS planned ON planned.PlannedTrace = plan.TraceId AND planned.PlannedPlan = plan.PlanId
ANY LEFT JOIN (
  SELECT
    TraceId AS WorkedTrace,
    PlanId AS WorkedPlan,
    countIf(State != '') AS Agents,
    uniqExactIf(StepIndex, State = 'completed') AS Done,
    maxIf(StepIndex, State != '') AS LastIndex,
    argMaxIf(StepDescription, Timestamp, State != '') AS LastTask
  FROM (${agent})
  WHERE isNotNull(StepIndex)
  GROUP BY WorkedTrace, WorkedPlan
) AS worked ON worked.WorkedTrace = plan.TraceId AND worked.WorkedPlan = plan.PlanId
ANY LEFT JOIN (
  SELECT TraceId AS StandingTrace, PlanId AS StandingPlan, State AS Standing, OwnDialect, OwnSource, LastSeen
  FROM ${database}.plan_standings
) AS standing ON standing.StandingTrace = plan.TraceId AND standing.StandingPlan = plan.PlanId
ANY LEFT JOIN (
  SELECT
    TraceId AS SeenTrace,
    arrayJoin(arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS SeenPlan,
    uniqExactIfMerge(Spans) AS EndedSpans,
    uniqExactIfMerge(Errors) AS FailedSpans
  FROM ${database}.plan_states
  GROUP BY SeenTrace, SeenPlan
) AS seen ON seen.SeenTrace = plan.TraceId AND seen.SeenPlan = if(standing.OwnDialect = '', plan.PlanId, plan.RootPlanId)
