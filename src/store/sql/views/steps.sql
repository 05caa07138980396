-- A step is known from the plan's list, else from that of its last planning, and from the agents that worked on it.
SELECT
  min(row.Timestamp) AS Timestamp,
  TraceId,
  any(row.ServiceName) AS ServiceName,
  PlanId,
  any(row.RootPlanId) AS RootPlanId,
  StepIndex,
  max(row.StepId) AS StepId,
  if(maxIf(row.Title, row.Listed) != '', maxIf(row.Title, row.Listed), max(row.Title)) AS Title,
  if(sum(row.Attempt) > 0, argMaxIf(row.State, row.Timestamp, row.Attempt), maxIf(row.State, row.Listed)) AS State,
  argMaxIf(row.AgentName, row.Timestamp, row.Attempt) AS AgentName,
  sum(row.Attempt) AS Attempts,
  minOrNullIf(row.Timestamp, row.Attempt) AS StartedAt,
  sumOrNullIf(row.DurationMs, row.Attempt) AS DurationMs,
  argMaxIf(row.ErrorMessage, row.Timestamp, row.Attempt) AS ErrorMessage
FROM (
  SELECT
    Timestamp, TraceId, ServiceName, PlanId, RootPlanId, StepIndex, StepId, StepDescription AS Title, State, AgentName,
    DurationMs, ErrorMessage, State != '' AS Attempt, false AS Listed
  FROM (${agent})
  WHERE isNotNull(StepIndex)
  UNION ALL
  SELECT
    Since, TraceId, Service, PlanId, Root, toInt64(Place - 1), List[Place].1, List[Place].2,
    transform(lower(List[Place].3), ${state_words}, ${word_states}, ''), '', NULL, '', 0, true
  FROM (
    SELECT
      TraceId, PlanId, min(Timestamp) AS Since, any(ServiceName) AS Service, any(RootPlanId) AS Root,
      argMax(Listed, (IsOwn, Timestamp)) AS List,
      arrayJoin(arrayEnumerate(List)) AS Place
    FROM (
      SELECT
        *,
        JSONExtract(StepsJson, 'Array(Tuple(id String, title String, description String, status String))') AS Objects,
        if(
          notEmpty(Objects),
          arrayMap((step, i) -> (step.id, multiIf(step.title != '', step.title, step.description != '', step.description, Steps[i]), step.status), Objects, arrayEnumerate(Objects)),
          arrayMap(step -> ('', step, ''), Steps)
        ) AS Listed
      FROM (
        SELECT Timestamp, TraceId, ServiceName, PlanId, RootPlanId, Steps, StepsJson, 1 AS IsOwn FROM (${plan})
        UNION ALL
        SELECT Timestamp, TraceId, ServiceName, PlanId, RootPlanId, Steps, StepsJson, 0 AS IsOwn FROM (${planning})
      )
    )
    WHERE notEmpty(Listed)
    GROUP BY TraceId, PlanId
  )
) AS row
GROUP BY TraceId, PlanId, StepIndex
