-- Plans with where they stand: one that is not open stands as it tells itself. A record's own plan is a root, though its root be
-- another that is not in the record. A plan id that ran again in its trace stands for its latest run.
SELECT
  plan.* REPLACE (
    if(open.State = '' OR (plan.Ended AND plan.State IN (${over})), plan.State, open.State) AS State,
    coalesce(plan.DurationMs, plan.TotalDurationSeconds * 1000) AS DurationMs
  ),
  toBool(plan.Dialect != '' OR plan.RootPlanId = plan.PlanId) AS IsRoot,
  if(open.State = '', fromUnixTimestamp64Nano(plan.LastNanoseconds), open.LastSeen) AS LastSeen
FROM (
  -- Joined from the right, so that of plan_states is read what the plans ask for.
  SELECT plan.*, known.Begun AS Begun, known.Done AS Done, known.Task AS Task, known.PlannedList AS PlannedList
  FROM (${known_steps}) AS known
  ANY RIGHT JOIN (
    ${plan}
    UNION ALL
    ${foreign_plan}
  ) AS plan ON known.KnownTrace = plan.TraceId AND known.KnownPlan = plan.PlanId
  WHERE ${is_latest_run}
) AS plan
ANY LEFT JOIN ${database}.open_plans AS open ON open.TraceId = plan.TraceId AND open.PlanId = plan.PlanId
