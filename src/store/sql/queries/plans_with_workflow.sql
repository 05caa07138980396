-- The plans of a workflow, as each says of itself.
SELECT TraceId, arrayJoin(if(Dialect = '', [PlanId], ['', PlanId])) AS Plan
FROM ${database}.plan_states
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces}
  AND finalizeAggregation(Facts).1 = 'plan' AND finalizeAggregation(Facts).2 IN {workflows:Array(String)}
