-- The plans that have a text in the class or the message of an error, their sub-plans' counted in, and by '' the whole trace.
SELECT DISTINCT TraceId, arrayJoin(arrayDistinct(['', PlanId, RootPlanId])) AS Plan
FROM (
  SELECT TraceId, PlanId, RootPlanId, concat(ErrorType, '\n', ErrorMessage, '\n', StatusMessage) AS ErrorText
  FROM ${database}.otel_traces
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) ${of_traces} AND PlanId != ''
    AND (StatusMessage != '' OR ErrorType != '' OR ErrorMessage != '')
  UNION ALL
  ${foreign_errors}
)
WHERE positionCaseInsensitiveUTF8(ErrorText, {errorText:String}) > 0
