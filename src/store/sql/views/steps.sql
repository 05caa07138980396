-- A step is known from the plan's list, else from that of its last planning, and from the agents that worked on it. Joined from
-- the right, so that of agents and plan_states is read what the plans ask for.
WITH
  arrayFilter(agent -> agent.StepIndex = Index, work.Agents) AS Told,
  arrayFilter(agent -> agent.State != '', Told) AS Runs,
  List[Index + 1] AS Listed
SELECT
  Timestamp,
  TraceId,
  if(Service = '', work.AgentService, Service) AS ServiceName,
  PlanId,
  RootPlanId,
  Index AS StepIndex,
  arrayMax(arrayPushBack(Told.StepId, Listed.1)) AS StepId,
  if(Listed.2 != '', Listed.2, arrayMax(arrayPushBack(Told.Title, ''))) AS Title,
  if(empty(Runs), transform(lower(Listed.3), ${state_words}, ${word_states}, ''), Runs[-1].State) AS State,
  Runs[-1].Name AS AgentName,
  length(Runs) AS Attempts,
  if(empty(Runs), NULL, Runs[1].Began) AS StartedAt,
  if(empty(arrayFilter(agent -> isNotNull(agent.DurationMs), Runs)), NULL, arraySum(agent -> ifNull(agent.DurationMs, 0), Runs)) AS DurationMs,
  Runs[-1].ErrorMessage AS ErrorMessage
FROM (
  SELECT
    TraceId AS WorkTrace,
    PlanId AS WorkPlan,
    any(ServiceName) AS AgentService,
    arraySort(agent -> agent.Began, groupArray(CAST(
      (Timestamp, assumeNotNull(StepIndex), StepId, StepDescription, State, AgentName, DurationMs, ErrorMessage),
      'Tuple(Began DateTime64(9), StepIndex Int64, StepId String, Title String, State String, Name String, DurationMs Nullable(Float64), ErrorMessage String)'
    ))) AS Agents
  FROM (${joined_agents})
  WHERE isNotNull(StepIndex)
  GROUP BY WorkTrace, WorkPlan
) AS work
ANY RIGHT JOIN (
  SELECT
    plan.*,
    if(notEmpty(plan.OwnList), plan.OwnList, known.PlannedList) AS List
  FROM (${known_steps}) AS known
  ANY RIGHT JOIN (
    SELECT Timestamp, TraceId, ServiceName AS Service, PlanId, RootPlanId, ${listed_steps} AS OwnList, IsOnlyRow FROM (${plan_lists})
    UNION ALL
    SELECT Since, TraceId, '', PlanId, if(Root = '', PlanId, Root), [], true FROM (${unheard_plans})
  ) AS plan ON known.KnownTrace = plan.TraceId AND known.KnownPlan = plan.PlanId
  WHERE ${is_latest_run}
) AS plan ON work.WorkTrace = plan.TraceId AND work.WorkPlan = plan.PlanId
ARRAY JOIN arrayDistinct(arrayConcat(range(length(plan.List))::Array(Int64), work.Agents.StepIndex)) AS Index
