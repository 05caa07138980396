-- The days on which the spans of each trace start, UTC. Of rows of before minutes were kept, alone or merged with later ones, any
-- day between the first and last may be one.
SELECT TraceId AS DayTrace, arrayJoin(arrayDistinct(if(
    hasAll(Minutes, [toStartOfMinute(Start), toStartOfMinute(End)]),
    arrayMap(minute -> toDate(minute, 'UTC'), Minutes),
    arrayMap(day -> toDate(Start, 'UTC') + day, range(toUInt32(1 + dateDiff('day', Start, End, 'UTC'))))
  ))) AS TraceDay
  FROM ${database}.otel_traces_trace_id_ts
