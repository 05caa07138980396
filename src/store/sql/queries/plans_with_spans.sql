-- The plans that have spans as asked for, with those of their sub-plans, and by '' the whole trace. A plan's spans begin with it
-- or later.
SELECT TraceId, arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS Plan
FROM (
  SELECT
    TraceId, PlanId, RootPlanId, SpanId, ServiceName, ConversationId,
    Role, AgentName, ToolName, Model, ResponseModel, ErrorType, RiskScore,
    if(
      isNull(InputTokens) AND isNull(OutputTokens),
      ifNull(StatedTotalTokens, 0),
      ifNull(InputTokens, 0) + ifNull(OutputTokens, 0)
    ) AS Tokens
  FROM ${database}.otel_traces
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND PlanId != '' AND (${spans})
  UNION ALL
  SELECT *
  FROM (
    ${foreign_spans}
  )
  WHERE ${spans}
)
GROUP BY TraceId, Plan
HAVING ${holds}
