SELECT
    TraceId, PlanId, RootPlanId, ServiceName, ConversationId, AgentName, ToolName, Model, ResponseModel, ErrorType,
    concat(ErrorType, '\n', ErrorMessage, '\n', StatusMessage) AS ErrorText,
    StatusCode = 'Error' AND SpanState != ${PENDING} AS HasError
  FROM ${database}.otel_traces
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND PlanId != '' AND (${spans})
  UNION ALL
  SELECT *
  FROM (
    ${foreign_spans}
  )
  WHERE ${spans}
