SELECT
  plan.*,
  ${step_figures},
  multiIf(
    plan.State = 'completed', 100.,
    isNotNull(plan.StatedProgressPercent), plan.StatedProgressPercent,
    StepCount > 0, 100. * StepsCompleted / StepCount,
    NULL
  ) AS ProgressPercent
FROM (SELECT *, ${listed_steps} AS Listed FROM (${standing_plans})) AS plan
