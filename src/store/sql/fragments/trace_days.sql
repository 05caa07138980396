-- The days on which the spans of each trace start, UTC. A collector's rows have no hours: spans may start on any day between
-- the first and last, also where such rows are merged with planspan's.
SELECT TraceId AS DayTrace, arrayJoin(arrayDistinct(if(
    hasAll(Hours, [toStartOfHour(Start, 'UTC'), toStartOfHour(End, 'UTC')]),
    arrayMap(hour -> toDate(hour, 'UTC'), Hours),
    arrayMap(day -> toDate(Start, 'UTC') + day, range(toUInt32(1 + dateDiff('day', Start, End, 'UTC'))))
  ))) AS TraceDay
  FROM ${database}.otel_traces_trace_id_ts
