-- The plans that have a text in their title, request or answer; an import is listed as its whole trace, by ''.
SELECT TraceId, arrayJoin(if(Dialect = '', [PlanId], ['', PlanId])) AS Plan
FROM ${database}.plan_states
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces}
  AND (
    positionCaseInsensitiveUTF8(finalizeAggregation(Title), {text:String}) > 0
    OR positionCaseInsensitiveUTF8(finalizeAggregation(Request), {text:String}) > 0
  )
UNION ALL
SELECT TraceId, TraceId
FROM ${database}.foreign_plans
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces}
  AND (
    positionCaseInsensitiveUTF8(finalizeAggregation(Title), {text:String}) > 0
    OR positionCaseInsensitiveUTF8(finalizeAggregation(Request), {text:String}) > 0
  )
UNION ALL
SELECT TraceId, arrayJoin(['', PlanId])
FROM ${database}.plan_contents
WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces}
  AND positionCaseInsensitiveUTF8(finalizeAggregation(Answer), {text:String}) > 0
