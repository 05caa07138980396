-- A collector's rows have no hours: spans may start in any hour between the first and the last, also where such rows are merged
-- with planspan's.
if(
  hasAll(Hours, [toStartOfHour(Start, 'UTC'), toStartOfHour(End, 'UTC')]),
  Hours,
  arrayMap(
    hour -> toStartOfHour(Start, 'UTC') + INTERVAL hour HOUR,
    range(toUInt32(1 + dateDiff('hour', toStartOfHour(Start, 'UTC'), End)))
  )
)
