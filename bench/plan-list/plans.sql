-- As many plans as wanted, each of a span of its own and a model call, one every ten seconds up to a time.
INSERT INTO ${database}.otel_traces
  (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ScopeName, SpanAttributes, Duration, StatusCode)
SELECT
  fromUnixTimestamp64Nano(${until} - toInt64(number) * 10000000000) + toIntervalMillisecond(call) AS Timestamp,
  lower(hex(MD5(toString(number)))) AS TraceId,
  lower(hex(bitShiftLeft(toUInt64(number + 1), 8) + call)) AS SpanId,
  if(call = 0, '', lower(hex(bitShiftLeft(toUInt64(number + 1), 8)))) AS ParentSpanId,
  if(call = 0, 'invoke_workflow invoice-audit', 'chat gpt-5-mini') AS SpanName,
  'Internal' AS SpanKind,
  'bench' AS ServiceName,
  'planspan' AS ScopeName,
  mapFilter((key, value) -> value != '', map(
    ${ATTR.planId}, concat('plan-', toString(number)),
    ${ATTR.planRootId}, concat('plan-', toString(number)),
    ${ATTR.spanKind}, if(call = 0, 'plan', 'llm'),
    ${ATTR.agentName}, if(call = 0, 'invoice-audit', ''),
    ${ATTR.planTitle}, if(call = 0, concat('Check the invoices of supplier ', toString(number)), ''),
    ${ATTR.state}, if(call = 0, ['completed', 'completed', 'completed', 'failed'][1 + number % 4], ''),
    ${ATTR.planSteps}, if(call = 0, '["Read the invoices","Compare them with the orders","Write a report"]', ''),
    ${ATTR.planCurrentStepIndex}, if(call = 0, toString(number % 3), ''),
    ${ATTR.requestModel}, if(call = 1, 'gpt-5-mini', ''),
    ${ATTR.usageInputTokens}, if(call = 1, toString(number % 5000), ''),
    ${ATTR.usageOutputTokens}, if(call = 1, toString(number % 700), '')
  )) AS SpanAttributes,
  if(call = 0, 9000000000, 2000000000) AS Duration,
  if(call = 0 AND number % 4 = 3, 'Error', 'Ok') AS StatusCode
FROM (SELECT number, arrayJoin([0, 1]) AS call FROM numbers(${plans}))
SETTINGS max_partitions_per_insert_block = 1000
