-- Rows of before minutes were kept tell of all between a trace's first and last.
(toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
  SELECT
    arrayJoin(if(
      empty(Minutes),
      arrayMap(
        minute -> toStartOfMinute(Start) + INTERVAL minute MINUTE,
        range(toUInt32(1 + dateDiff('minute', toStartOfMinute(Start), End)))
      ),
      Minutes
    )),
    TraceId
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId ${traces}
)
