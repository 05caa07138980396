-- A collector's rows have no hours, and rows of planspan that are merged with them lack some. Spans may then start in
-- any hour between the first and the last.
if(
  hasAll(Hours, [toStartOfHour(Start, 'UTC'), toStartOfHour(End, 'UTC')]),
  Hours,
  arrayMap(
    hour -> toStartOfHour(Start, 'UTC') + INTERVAL hour HOUR,
    range(toUInt32(1 + dateDiff('hour', toStartOfHour(Start, 'UTC'), End)))
  )
)
