-- Plans with where they stand. A record's own plan is a root, though its root be another that is not in the record.
SELECT
  plan.* REPLACE (
    if(standing.Standing = '', plan.State, standing.Standing) AS State,
    coalesce(plan.DurationMs, plan.TotalDurationSeconds * 1000) AS DurationMs
  ),
  toBool(standing.OwnDialect != '' OR plan.RootPlanId = plan.PlanId) AS IsRoot,
  standing.OwnDialect AS Dialect,
  standing.OwnSource AS Source,
  standing.LastSeen AS LastSeen
FROM (${plan}) AS plan
ANY LEFT JOIN (
  SELECT TraceId AS StandingTrace, PlanId AS StandingPlan, State AS Standing, OwnDialect, OwnSource, LastSeen
  FROM ${database}.plan_standings
) AS standing ON standing.StandingTrace = plan.TraceId AND standing.StandingPlan = plan.PlanId
