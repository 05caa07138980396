-- Of traces in which a plan was resumed, those whose rows no one span begins: sub-plans that ran again, and plans of which only
-- later segments have come, or are left.
SELECT TraceId, PlanId
  FROM ${database}.plan_states
  WHERE TraceId GLOBAL IN (${resumed_traces})
  GROUP BY TraceId, PlanId
  HAVING max(PlanSpan) > 0
    AND (length(groupUniqArrayArray(Starts)) != 1 OR groupUniqArrayArray(Starts)[1] < (SELECT min(Timestamp) FROM ${database}.otel_traces))
