-- A collector's rows have no minutes: spans may start in any minute between a trace's first and last, also where such rows are
-- merged with planspan's.
(toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
  SELECT
    arrayJoin(if(
      hasAll(Minutes, [toStartOfMinute(Start), toStartOfMinute(End)]),
      Minutes,
      arrayMap(
        minute -> toStartOfMinute(Start) + INTERVAL minute MINUTE,
        range(toUInt32(1 + dateDiff('minute', toStartOfMinute(Start), End)))
      )
    )),
    TraceId
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId ${traces}
)
