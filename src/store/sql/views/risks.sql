-- An action was taken where a tool call links to its assessment. A trajectory numbers its actions as they were proposed: as
-- long as none of a cycle's was filtered out they are those that ran; of the others nothing tells, but that none ran at all.
SELECT
  risk.*,
  multiIf(
    call.CallId != '', true,
    NOT cycle.HasEnded, NULL,
    cycle.Calls = 0, false,
    isNull(risk.ActionIndex) OR NOT ifNull(judged.AllSafe, false) OR empty(cycle.Ran), NULL,
    toBool(has(cycle.Ran, risk.ActionIndex))
  ) AS ActionTaken,
  call.CalledTool AS ToolName
FROM (
  SELECT *
  FROM (${guardrail})
  WHERE (isNotNull(Score) OR isNotNull(IsSafe) OR notEmpty(Policies)) AND NOT ifNull(Repeated, false)
) AS risk
ANY LEFT JOIN (
  SELECT TraceId AS CallTrace, GuardrailSpan, any(SpanId) AS CallId, any(SpanAttributes[${ATTR.toolName}]) AS CalledTool
  FROM ${database}.otel_traces
  ARRAY JOIN Links.SpanId AS GuardrailSpan, Links.Attributes AS LinkAttributes
  WHERE startsWith(SpanName, ${OPERATIONS.tool}) AND LinkAttributes[${ATTR.linkType}] = ${LINK_TYPES.guards}
  GROUP BY TraceId, GuardrailSpan
) AS call ON call.CallTrace = risk.TraceId AND call.GuardrailSpan = risk.SpanId
ANY LEFT JOIN (
  SELECT
    TraceId AS CycleTrace,
    if(SpanAttributes[${ATTR.spanKind}] = 'tool', ParentSpanId, SpanId) AS CycleSpan,
    max(SpanAttributes[${ATTR.spanKind}] = 'think_act') AS HasEnded,
    uniqExactIf(SpanId, SpanAttributes[${ATTR.spanKind}] = 'tool') AS Calls,
    groupUniqArrayIf(toInt64OrZero(SpanAttributes[${ATTR.actionIndex}]), SpanAttributes[${ATTR.actionTimestamp}] != '') AS Ran
  FROM ${database}.otel_traces
  WHERE (startsWith(SpanName, ${OPERATIONS.tool}) OR startsWith(SpanName, ${OPERATIONS.think_act}))
    AND SpanAttributes[${ATTR.spanKind}] IN ('tool', 'think_act') AND SpanAttributes[${ATTR.spanState}] != ${PENDING}
  GROUP BY CycleTrace, CycleSpan
) AS cycle ON cycle.CycleTrace = risk.TraceId AND cycle.CycleSpan = risk.ParentSpanId
ANY LEFT JOIN (
  SELECT TraceId AS JudgedTrace, ParentSpanId AS JudgedCycle, min(IsSafe) AS AllSafe
  FROM (${guardrail})
  WHERE isNotNull(ActionIndex)
  GROUP BY JudgedTrace, JudgedCycle
) AS judged ON judged.JudgedTrace = risk.TraceId AND judged.JudgedCycle = risk.ParentSpanId
