-- Whether an action was taken is decided by the rules of mapping/action-taken.ts, in their order. Joined from the right, so that
-- of calls and cycles are read those of the risks that are asked for.
WITH
  arrayFilter(made -> made.1 >= risk.Timestamp, risk.Calls) AS LaterCalls,
  arrayFirst(made -> has(made.4, risk.SpanId), risk.Calls) AS LinkedCall,
  arrayFirst(made -> made.3 = risk.ActionCallId, risk.Calls) AS CallOfId,
  arrayFirst(made -> made.2 = risk.ActionName, LaterCalls) AS CallOfName,
  arrayFirst(made -> empty(made.4), LaterCalls) AS NextCall,
  if(NOT ifNull(risk.TimeSynthetic, false) AND ended.Cycle != '', false, NULL) AS FalseOnceOver
SELECT
  risk.* REPLACE (
    multiIf(
      isNotNull(risk.ActionTaken), risk.ActionTaken,
      notEmpty(LinkedCall.4), true,
      risk.ActionCallId != '', if(CallOfId.3 != '', true, FalseOnceOver),
      risk.ActionName != '', if(CallOfName.2 != '', true, FalseOnceOver),
      isNotNull(risk.ActionIndex) OR ifNull(risk.TimeSynthetic, false), NULL,
      NextCall.2 != '', true,
      empty(risk.Calls), FalseOnceOver,
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
  SELECT span.TraceId AS CycleTrace, span.SpanId AS Cycle FROM ${joined_think_act_rows} WHERE span.SpanState != ${PENDING} GROUP BY CycleTrace, Cycle
) AS ended
ANY RIGHT JOIN (
  SELECT risk.*, call.Calls AS Calls
  FROM (
    SELECT
      span.TraceId AS CallTrace,
      span.Parent AS CallCycle,
      arraySort(groupUniqArray((
        span.Timestamp, span.ToolName, span.ToolCallId,
        arrayFilter((id, attributes) -> attributes[${ATTR.linkType}] = ${LINK_TYPES.guards}, span.Links.SpanId, span.Links.Attributes)
      ))) AS Calls
    FROM ${joined_tool_rows}
    GROUP BY CallTrace, CallCycle
  ) AS call
  ANY RIGHT JOIN (
    SELECT *
    FROM (${guardrail})
    WHERE (isNotNull(Score) OR isNotNull(IsSafe) OR notEmpty(Policies)) AND NOT ifNull(Repeated, false)
  ) AS risk ON call.CallTrace = risk.TraceId AND call.CallCycle = risk.ParentSpanId
) AS risk ON ended.CycleTrace = risk.TraceId AND ended.Cycle = risk.ParentSpanId
