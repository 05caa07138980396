SELECT
  plan.*,
  if(notEmpty(plan.Listed), plan.Listed, planned.PlannedList) AS StepList,
  greatest(length(StepList), ifNull(worked.LastIndex, -1) + 1) AS StepCount,
  if(worked.Agents > 0, worked.Done, countEqual(arrayMap(step -> transform(lower(step.3), ${state_words}, ${word_states}, ''), StepList), 'completed')) AS StepsCompleted,
  multiIf(
    plan.State = 'completed', 100.,
    isNotNull(plan.StatedProgressPercent), plan.StatedProgressPercent,
    StepCount > 0, 100. * StepsCompleted / StepCount,
    NULL
  ) AS ProgressPercent,
  StepList[1 + coalesce(plan.CurrentStepIndex, worked.LastIndex)].2 AS ListedStep,
  if(ListedStep != '', ListedStep, worked.LastTask) AS CurrentStep
FROM (SELECT *, ${listed_steps} AS Listed FROM (${standing_plans})) AS plan
ANY LEFT JOIN (
  SELECT TraceId AS PlannedTrace, PlanId AS PlannedPlan, argMaxIf(Listed, Timestamp, notEmpty(Listed)) AS PlannedList
  FROM (SELECT *, ${listed_steps} AS Listed FROM (${planning_lists}))
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
  FROM (${agent_steps})
  WHERE isNotNull(StepIndex)
  GROUP BY WorkedTrace, WorkedPlan
) AS worked ON worked.WorkedTrace = plan.TraceId AND worked.WorkedPlan = plan.PlanId
