-- The plans that have a text in their title, request or answer.
SELECT TraceId, arrayJoin(if(Dialect = '', [PlanId], ['', PlanId])) AS Plan
FROM ${database}.plan_states
WHERE Start >= fromUnixTimestamp64Nano({from:Int64})
  AND (
    positionCaseInsensitiveUTF8(finalizeAggregation(Title), {text:String}) > 0
    OR positionCaseInsensitiveUTF8(finalizeAggregation(Request), {text:String}) > 0
  )
UNION ALL
SELECT TraceId, TraceId
FROM ${database}.foreign_plans
WHERE Start >= fromUnixTimestamp64Nano({from:Int64})
  AND (
    positionCaseInsensitiveUTF8(finalizeAggregation(Title), {text:String}) > 0
    OR positionCaseInsensitiveUTF8(finalizeAggregation(Request), {text:String}) > 0
  )
UNION ALL
SELECT TraceId, arrayJoin(if(RecordDialect = '', [PlanId], ['', PlanId]))
FROM ${database}.otel_traces AS span
WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND PlanId != ''
  AND (Role = 'plan' OR (Role = 'agent' AND RecordDialect != ''))
  AND arrayExists(said -> positionCaseInsensitiveUTF8(said, {text:String}) > 0, ${own_answers})
UNION ALL
SELECT TraceId, TraceId
FROM ${database}.otel_traces
WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Role = '' AND ParentSpanId = ''
  AND TraceId GLOBAL IN (SELECT TraceId FROM ${database}.foreign_plans WHERE Start >= fromUnixTimestamp64Nano({from:Int64}))
  AND arrayExists(said -> positionCaseInsensitiveUTF8(said, {text:String}) > 0, ${foreign_answers})
