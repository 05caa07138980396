-- A step is known from the plan's list, else from that of its last planning, and from the agents that worked on it.
SELECT
  min(step.Timestamp) AS Timestamp,
  TraceId,
  any(step.ServiceName) AS ServiceName,
  PlanId,
  any(step.RootPlanId) AS RootPlanId,
  StepIndex,
  max(step.StepId) AS StepId,
  if(maxIf(step.Title, step.IsListed) != '', maxIf(step.Title, step.IsListed), max(step.Title)) AS Title,
  if(sum(step.IsRun) > 0, argMaxIf(step.State, step.Timestamp, step.IsRun), maxIf(step.State, step.IsListed)) AS State,
  argMaxIf(step.AgentName, step.Timestamp, step.IsRun) AS AgentName,
  sum(step.IsRun) AS Attempts,
  minOrNullIf(step.Timestamp, step.IsRun) AS StartedAt,
  sumOrNullIf(step.DurationMs, step.IsRun) AS DurationMs,
  argMaxIf(step.ErrorMessage, step.Timestamp, step.IsRun) AS ErrorMessage
FROM (
  SELECT
    Timestamp, TraceId, ServiceName, PlanId, RootPlanId, StepIndex, StepId, StepDescription AS Title, State, AgentName,
    DurationMs, ErrorMessage, State != '' AS IsRun, false AS IsListed
  FROM ${database}.agents
  WHERE isNotNull(StepIndex)
  UNION ALL
  SELECT
    Since, TraceId, Service, PlanId, Root, toInt64(Place - 1), List[Place].1, List[Place].2,
    transform(lower(List[Place].3), ${state_words}, ${word_states}, ''), '', NULL, '', false, true
  FROM (
    SELECT
      TraceId, PlanId, min(Timestamp) AS Since, any(ServiceName) AS Service, any(RootPlanId) AS Root,
      argMax(Listed, (IsOwn, Timestamp)) AS List,
      arrayJoin(arrayEnumerate(List)) AS Place
    FROM (
      SELECT *, ${listed_steps} AS Listed
      FROM (
        SELECT Timestamp, TraceId, ServiceName, PlanId, RootPlanId, Steps, StepsJson, true AS IsOwn FROM (${plan_lists})
        UNION ALL
        SELECT Timestamp, TraceId, ServiceName, PlanId, RootPlanId, Steps, StepsJson, false AS IsOwn FROM (${planning_lists})
      )
    )
    WHERE notEmpty(Listed)
    GROUP BY TraceId, PlanId
  )
) AS step
GROUP BY TraceId, PlanId, StepIndex
