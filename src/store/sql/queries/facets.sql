-- How many of the plans that are asked for have each value: of what they are listed with, and of what is in them. The plans
-- themselves are counted by the facet ''.
SELECT counted.1 AS facet, counted.2 AS value, count() AS plans
FROM (
  SELECT TraceId, PlanId, argMaxMerge(Facts) AS Facts
  FROM ${database}.plan_states
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64})
  GROUP BY TraceId, PlanId
) AS said
RIGHT JOIN (
  SELECT plan.*, told.AllAgents, told.AllTools, told.AllModels, told.AllErrorTypes
  FROM (
    SELECT
      TraceId,
      arrayJoin(if(
        TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE Dialect != ''),
        [''],
        arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])
      )) AS Plan,
      groupUniqArrayArray(Agents) AS AllAgents,
      groupUniqArrayArray(Tools) AS AllTools,
      groupUniqArrayArray(Models) AS AllModels,
      groupUniqArrayArray(ErrorTypes) AS AllErrorTypes
    FROM ${database}.plan_contents
    WHERE Start >= fromUnixTimestamp64Nano({from:Int64})
    GROUP BY TraceId, Plan
  ) AS told
  RIGHT JOIN (
    SELECT traceId, planId, state, dialect, convention, source FROM (${own_plans})
    UNION ALL
    SELECT traceId, planId, state, dialect, convention, source FROM (${foreign_plans})
  ) AS plan ON told.TraceId = plan.traceId AND told.Plan = if(plan.dialect = '', plan.planId, '')
) AS plan ON said.TraceId = plan.traceId AND said.PlanId = plan.planId
ARRAY JOIN arrayConcat(
  [('', ''), ('state', plan.state)],
  if(plan.dialect = '', [], [('dialect', plan.dialect), ('source', plan.source)]),
  if(plan.convention = '', [], [('convention', plan.convention)]),
  if(said.Facts.1 = 'plan' AND said.Facts.2 != '', [('workflow', said.Facts.2)], []),
  arrayMap(agent -> ('agent', agent), plan.AllAgents),
  arrayMap(tool -> ('tool', tool), plan.AllTools),
  arrayMap(model -> ('model', model), plan.AllModels),
  arrayMap(error -> ('error', error), plan.AllErrorTypes)
) AS counted
GROUP BY facet, value
ORDER BY plans DESC, value
LIMIT {values:UInt32} BY facet
