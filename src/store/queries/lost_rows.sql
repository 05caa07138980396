-- The plan spans of traces whose spans are lost, as far as the indexer has kept them, in the form of span_row.sql.
SELECT
  TraceId,
  SpanId,
  ParentSpanId,
  'plan' AS SpanName,
  'Internal' AS SpanKind,
  ServiceName,
  '' AS ScopeName,
  toString(toUnixTimestamp64Nano(Timestamp)) AS Start,
  toString(toUnixTimestamp64Nano(Timestamp) + toInt64(Duration)) AS End,
  if(Error = '', 'Unset', 'Error') AS StatusCode,
  Error AS StatusMessage,
  map() AS ResourceAttributes,
  mapConcat(SpanAttributes, mapFilter((key, value) -> value != '', map(
    ${kind}, 'plan',
    ${plan_id}, PlanId,
    ${root_id}, toString(RootPlanId),
    ${agent}, toString(Name),
    ${title}, ShownTitle,
    ${state}, toString(${state_now}),
    ${gap}, concat(toString(Spans), if(Spans = 1, ' span that is', ' spans that are'), ' no longer stored')
  ))) AS SpanAttributes,
  [] AS EventTimes,
  [] AS EventNames,
  [] AS EventAttributes,
  [] AS LinkTraceIds,
  [] AS LinkSpanIds,
  [] AS LinkAttributes
FROM ${database}.plan_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND SpanId != ''
