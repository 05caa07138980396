-- Whether an action was taken is decided by the rules of mapping/action-taken.ts, in their order. The keys of the attributes,
-- a twentieth of what the values are, tell which spans are planspan's.
WITH
  arrayFilter(made -> made.1 >= risk.Timestamp, call.Calls) AS LaterCalls,
  arrayFirst(made -> has(made.4, risk.SpanId), call.Calls) AS LinkedCall,
  arrayFirst(made -> made.3 = risk.ActionCallId, call.Calls) AS CallOfId,
  arrayFirst(made -> made.2 = risk.ActionName, LaterCalls) AS CallOfName,
  arrayFirst(made -> empty(made.4), LaterCalls) AS NextCall,
  if(NOT ifNull(risk.TimeSynthetic, false) AND (risk.TraceId, risk.ParentSpanId) GLOBAL IN (
    SELECT TraceId, SpanId
    FROM ${database}.otel_traces
    WHERE startsWith(SpanName, ${OPERATIONS.think_act}) AND has(SpanAttributes.keys, ${ATTR.spanKind})
      AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
  ), false, NULL) AS FalseOnceOver
SELECT
  risk.* REPLACE (
    multiIf(
      isNotNull(risk.ActionTaken), risk.ActionTaken,
      notEmpty(LinkedCall.4), true,
      risk.ActionCallId != '', if(CallOfId.3 != '', true, FalseOnceOver),
      risk.ActionName != '', if(CallOfName.2 != '', true, FalseOnceOver),
      isNotNull(risk.ActionIndex) OR ifNull(risk.TimeSynthetic, false), NULL,
      NextCall.2 != '', true,
      empty(call.Calls), FalseOnceOver,
      NULL
    ) AS ActionTaken
  ),
  multiIf(
    notEmpty(LinkedCall.4), LinkedCall.2,
    risk.ActionCallId != '' OR risk.ActionName != '', if(risk.ActionName = '', CallOfId.2, risk.ActionName),
    isNull(risk.ActionTaken) AND isNull(risk.ActionIndex) AND NOT ifNull(risk.TimeSynthetic, false), NextCall.2,
    ''
  ) AS ToolName
FROM (
  SELECT *
  FROM (${guardrail})
  WHERE (isNotNull(Score) OR isNotNull(IsSafe) OR notEmpty(Policies)) AND NOT ifNull(Repeated, false)
) AS risk
ANY LEFT JOIN (
  SELECT
    TraceId AS CallTrace,
    if(SpanAttributes[${ATTR.spanState}] = '', ParentSpanId, SpanAttributes[${ATTR.pendingParentSpanId}]) AS CallCycle,
    arraySort(groupUniqArray((
      Timestamp, SpanAttributes[${ATTR.toolName}], SpanAttributes[${ATTR.toolCallId}],
      arrayFilter((id, attributes) -> attributes[${ATTR.linkType}] = ${LINK_TYPES.guards}, Links.SpanId, Links.Attributes)
    ))) AS Calls
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.tool}) AND has(SpanAttributes.keys, ${ATTR.spanKind})
    AND TraceId GLOBAL IN (
      SELECT TraceId FROM ${database}.otel_traces
      WHERE startsWith(SpanName, ${OPERATIONS.guardrail}) AND has(SpanAttributes.keys, ${ATTR.spanKind})
    )
  GROUP BY CallTrace, CallCycle
) AS call ON call.CallTrace = risk.TraceId AND call.CallCycle = risk.ParentSpanId
