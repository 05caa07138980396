-- How many of the plans that are asked for have each value: of what they are listed with, and of what is in them. The plans
-- themselves are counted by the facet ''. A plan has a row of contents for each insert: it is told apart by its key, which is
-- cheaper than putting its sets together.
SELECT facet, value, uniqExact(plan) AS plans
FROM (
  SELECT listed.Key AS plan, facet, values
  FROM (
    SELECT
      sipHash64(TraceId, arrayJoin(if(
        TraceId GLOBAL IN (
          SELECT TraceId FROM ${database}.plan_states WHERE Dialect != '' AND Start >= fromUnixTimestamp64Nano({from:Int64})
        ),
        [''],
        arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])
      ))) AS Key,
      Agents,
      Tools,
      Models,
      ErrorTypes
    FROM ${database}.plan_contents
    WHERE ${are_of_time}
  ) AS told
  RIGHT JOIN (
    SELECT sipHash64(traceId, if(dialect = '', planId, '')) AS Key, state, dialect, convention, source, workflow FROM (${own_plans})
    UNION ALL
    SELECT sipHash64(traceId, planId), state, dialect, convention, source, '' FROM (${foreign_plans})
  ) AS listed ON told.Key = listed.Key
  ARRAY JOIN
    ['', 'state', 'dialect', 'source', 'convention', 'workflow', 'agent', 'tool', 'model', 'error'] AS facet,
    [
      [''],
      [listed.state],
      if(listed.dialect = '', [], [listed.dialect]),
      if(listed.dialect = '', [], [listed.source]),
      if(listed.convention = '', [], [listed.convention]),
      if(listed.workflow = '', [], [listed.workflow]),
      told.Agents,
      told.Tools,
      told.Models,
      told.ErrorTypes
    ] AS values
)
ARRAY JOIN values AS value
GROUP BY facet, value
ORDER BY plans DESC, value
LIMIT {values:UInt32} BY facet
