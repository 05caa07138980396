if(notEmpty(plan.Listed), plan.Listed, plan.PlannedList) AS StepList,
  greatest(length(StepList), if(empty(plan.Begun), 0, arrayMax(plan.Begun) + 1)) AS StepCount,
  least(greatest(ifNull(plan.CurrentStepIndex, 0), 0), StepCount) AS StepsBefore,
  -- A record that tells of no agent at a step before its current one tells nothing else of a step that is done.
  if(plan.Dialect = '', 0, StepsBefore - arrayCount(step -> step >= 0 AND step < StepsBefore, plan.Begun)) AS StepsUntold,
  if(
    notEmpty(plan.Begun),
    length(plan.Done) + StepsUntold,
    countEqual(arrayMap(step -> transform(lower(step.3), ${state_words}, ${word_states}, ''), StepList), 'completed')
  ) AS StepsCompleted,
  StepList[1 + coalesce(plan.CurrentStepIndex, if(empty(plan.Begun), NULL, arrayMax(plan.Begun)))].2 AS ListedStep,
  if(ListedStep != '', ListedStep, plan.Task) AS CurrentStep
