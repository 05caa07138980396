SELECT TraceId AS ResumedTrace, SpanAttributes[${ATTR.planId}] AS ResumedPlan, max(Timestamp) AS Since
FROM ${database}.otel_traces
WHERE startsWith(SpanName, ${OPERATIONS.plan}) AND SpanAttributes[${ATTR.spanKind}] = 'plan'
  AND SpanAttributes[${ATTR.planSegment}] NOT IN ('', '0')
GROUP BY ResumedTrace, ResumedPlan
