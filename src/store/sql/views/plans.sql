SELECT
  plan.*,
  if(notEmpty(plan.Listed), plan.Listed, planned.PlannedList) AS StepList,
  greatest(length(StepList), ifNull(worked.LastIndex, -1) + 1) AS StepCount,
  if(
    worked.Rows > 0,
    -- A record that tells of no agent at a step before its current one tells nothing else of a step that is done.
    worked.Done + if(plan.Dialect = '', 0, arrayCount(step -> NOT has(worked.Begun, step), range(toUInt64(least(greatest(ifNull(plan.CurrentStepIndex, 0), 0), StepCount))))),
    countEqual(arrayMap(step -> transform(lower(step.3), ${state_words}, ${word_states}, ''), StepList), 'completed')
  ) AS StepsCompleted,
  multiIf(
    plan.State = 'completed', 100.,
    isNotNull(plan.StatedProgressPercent), plan.StatedProgressPercent,
    StepCount > 0, 100. * StepsCompleted / StepCount,
    NULL
  ) AS ProgressPercent,
  StepList[1 + coalesce(plan.CurrentStepIndex, worked.LastIndex)].2 AS ListedStep,
  if(ListedStep != '', ListedStep, worked.LastTask) AS CurrentStep
FROM (SELECT *, ${listed_steps} AS Listed FROM (${standing_plans})) AS plan
ANY LEFT JOIN (${planned_steps}) AS planned ON planned.PlannedTrace = plan.TraceId AND planned.PlannedPlan = plan.PlanId
ANY LEFT JOIN (${worked_steps}) AS worked ON worked.WorkedTrace = plan.TraceId AND worked.WorkedPlan = plan.PlanId
