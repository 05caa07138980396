-- The spans that end in a slice of time, and one in a hundred of the slice before, sent again.
INSERT INTO ${database}.otel_traces (
  Timestamp, TraceId, SpanId, ParentSpanId, TraceState, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName, ScopeVersion,
  SpanAttributes, Duration, StatusCode, StatusMessage, `Events.Timestamp`, `Events.Name`, `Events.Attributes`, `Links.TraceId`,
  `Links.SpanId`, `Links.TraceState`, `Links.Attributes`
)
WITH
  (SELECT Text FROM ${own}.prose) AS Prose,
  [${ATTR.planId}, ${ATTR.planRootId}, ${ATTR.planParentId}, ${ATTR.recordKey}, ${ATTR.stepId}, ${ATTR.toolCallId}, ${ATTR.planParentToolCallId}, ${ATTR.conversationId}] AS Ids,
  [${ATTR.pendingSpanId}, ${ATTR.pendingParentSpanId}, ${ATTR.waitId}] AS Spans,
  [${ATTR.inputMessages}, ${ATTR.outputMessages}, ${ATTR.toolCallArguments}, ${ATTR.toolCallResult}] AS Contents,
  [${ATTR.usageInputTokens}, ${ATTR.usageOutputTokens}, ${ATTR.usageCacheReadTokens}] AS Counts,
  id -> if(id = '', '', lower(hex(sipHash128(id, Plan)))) AS idOf,
  id -> if(id = '', '', lower(hex(cityHash64(id, Plan)))) AS spanIdOf,
  offset -> fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Begin) + toInt64(offset * Pace)) AS timeOf,
  cityHash64(SpanId, Plan) AS Salt
SELECT
  timeOf(Offset), idOf(template.TraceId), spanIdOf(SpanId), spanIdOf(ParentSpanId), '', SpanName, SpanKind, ServiceName,
  ResourceAttributes, ScopeName, '',
  mapApply((key, value) -> (key, multiIf(
    has(Ids, key), idOf(value),
    has(Spans, key), spanIdOf(value),
    has(Contents, key), replaceOne(value, '§', substring(Prose, 1 + cityHash64(Salt, key) % (length(Prose) - 500), intDiv(${textLength}, 2) + cityHash64(key, Salt) % ${textLength})),
    has(Counts, key), toString(intDiv(toUInt64OrZero(value) * (50 + Salt % 100), 100)),
    value
  )), SpanAttributes),
  toUInt64(toInt64((Offset + Duration) * Pace) - toInt64(Offset * Pace)), StatusCode, StatusMessage,
  arrayMap(offset -> timeOf(offset), EventOffsets), EventNames, EventAttributes,
  arrayMap(id -> idOf(id), LinkTraces), arrayMap(id -> spanIdOf(id), LinkSpans), arrayMap(id -> '', LinkSpans), LinkAttributes
FROM (
  SELECT Plan, Row, Begin, Pace FROM ${own}.arrivals WHERE Arrival >= ${sliceFrom} AND Arrival < ${sliceTo}
  UNION ALL
  SELECT Plan, Row, Begin, Pace FROM ${own}.arrivals
  WHERE Arrival >= ${sliceBefore} AND Arrival < ${sliceFrom} AND cityHash64(Plan, Row, 'again') % 100 = 0
) AS arrival
INNER JOIN ${own}.template_rows AS template ON template.Row = arrival.Row
