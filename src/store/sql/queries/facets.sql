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
  SELECT plan.*, told.Told AS Told
  FROM (
    SELECT
      TraceId,
      arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS Plan,
      groupUniqArrayArray(arrayFilter(told -> told.2 != '', [
        ('agent', toString(AgentName)),
        ('tool', toString(ToolName)),
        ('model', toString(Model)),
        ('model', toString(ResponseModel)),
        ('error', toString(ErrorType))
      ])) AS Told
    FROM (
      SELECT DISTINCT TraceId, PlanId, RootPlanId, AgentName, ToolName, Model, ResponseModel, ErrorType
      FROM (
        ${searched_spans}
      )
    )
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
  plan.Told
) AS counted
GROUP BY facet, value
ORDER BY plans DESC, value
LIMIT {values:UInt32} BY facet
