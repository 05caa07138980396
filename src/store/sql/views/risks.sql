-- An import tells whether an action was taken, where it is known. A live one was where a tool call links to its assessment, and
-- was not where its cycle has ended without a call. The keys of the attributes, a twentieth of what the values are, tell which
-- spans are planspan's and no snapshots.
SELECT
  risk.* REPLACE (
    multiIf(
      isNotNull(risk.ActionTaken), risk.ActionTaken,
      call.GuardrailSpan != '', true,
      (risk.TraceId, risk.ParentSpanId) GLOBAL IN (
        SELECT TraceId, SpanId
        FROM ${database}.otel_traces
        WHERE startsWith(SpanName, ${OPERATIONS.think_act}) AND has(SpanAttributes.keys, ${ATTR.spanKind})
          AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
      ) AND (risk.TraceId, risk.ParentSpanId) GLOBAL NOT IN (
        SELECT TraceId, ParentSpanId
        FROM ${database}.otel_traces
        WHERE startsWith(SpanName, ${OPERATIONS.tool}) AND has(SpanAttributes.keys, ${ATTR.spanKind})
          AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
      ), false,
      NULL
    ) AS ActionTaken
  ),
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
