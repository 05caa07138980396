-- An action was taken where a tool call links to its assessment. A trajectory numbers its actions as they were proposed: as
-- long as none of a cycle's was filtered out they are those that ran; of the others nothing tells, but that none ran at all.
-- The keys of the attributes, which are a twentieth of what the values are, tell which spans are planspan's and no snapshots.
SELECT
  risk.*,
  multiIf(
    call.GuardrailSpan != '', true,
    NOT cycle.HasEnded, NULL,
    NOT cycle.HasCall, false,
    isNull(risk.ActionIndex) OR NOT ifNull(judged.AllSafe, false) OR empty(done.Ran), NULL,
    toBool(has(done.Ran, risk.ActionIndex))
  ) AS ActionTaken,
  call.CalledTool AS ToolName
FROM (
  SELECT *
  FROM (${guardrail})
  WHERE (isNotNull(Score) OR isNotNull(IsSafe) OR notEmpty(Policies)) AND NOT ifNull(Repeated, false)
) AS risk
ANY LEFT JOIN (
  SELECT TraceId AS CallTrace, GuardrailSpan, any(SpanAttributes[${ATTR.toolName}]) AS CalledTool
  FROM ${database}.otel_traces
  ARRAY JOIN Links.SpanId AS GuardrailSpan, Links.Attributes AS LinkAttributes
  WHERE startsWith(SpanName, ${OPERATIONS.tool}) AND notEmpty(Links.SpanId) AND LinkAttributes[${ATTR.linkType}] = ${LINK_TYPES.guards}
  GROUP BY TraceId, GuardrailSpan
) AS call ON call.CallTrace = risk.TraceId AND call.GuardrailSpan = risk.SpanId
ANY LEFT JOIN (
  SELECT
    TraceId AS CycleTrace,
    if(startsWith(SpanName, ${OPERATIONS.tool}), ParentSpanId, SpanId) AS CycleSpan,
    max(startsWith(SpanName, ${OPERATIONS.think_act})) AS HasEnded,
    max(startsWith(SpanName, ${OPERATIONS.tool})) AS HasCall
  FROM ${database}.otel_traces
  WHERE (startsWith(SpanName, ${OPERATIONS.tool}) OR startsWith(SpanName, ${OPERATIONS.think_act}))
    AND has(SpanAttributes.keys, ${ATTR.spanKind}) AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
  GROUP BY CycleTrace, CycleSpan
) AS cycle ON cycle.CycleTrace = risk.TraceId AND cycle.CycleSpan = risk.ParentSpanId
ANY LEFT JOIN (
  SELECT TraceId AS DoneTrace, ParentSpanId AS DoneCycle, groupUniqArray(toInt64OrZero(SpanAttributes[${ATTR.actionIndex}])) AS Ran
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.tool}) AND has(SpanAttributes.keys, ${ATTR.actionTimestamp})
    AND SpanAttributes[${ATTR.actionTimestamp}] != '' AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
  GROUP BY DoneTrace, DoneCycle
) AS done ON done.DoneTrace = risk.TraceId AND done.DoneCycle = risk.ParentSpanId
ANY LEFT JOIN (
  SELECT TraceId AS JudgedTrace, ParentSpanId AS JudgedCycle, min(SpanAttributes[${ATTR.riskIsSafe}] = 'true') AS AllSafe
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.guardrail}) AND has(SpanAttributes.keys, ${ATTR.riskActionIndex})
  GROUP BY JudgedTrace, JudgedCycle
) AS judged ON judged.JudgedTrace = risk.TraceId AND judged.JudgedCycle = risk.ParentSpanId
