-- The parts of the tables that model calls are in, with the times of their rows; of a part ClickHouse knows these unread.
SELECT concat(Part, ' ', toString(Rows)) AS mark, toString(toUnixTimestamp64Nano(Earliest)) AS from, toString(toUnixTimestamp64Nano(Latest)) AS to
FROM (
  SELECT concat('spans ', _part) AS Part, count() AS Rows, min(Timestamp) AS Earliest, max(Timestamp) AS Latest
  FROM ${database}.otel_traces
  GROUP BY Part
  UNION ALL
  SELECT concat('foreign ', _part) AS Part, count() AS Rows, min(Timestamp) AS Earliest, max(Timestamp) AS Latest
  FROM ${database}.foreign_spans
  GROUP BY Part
)
ORDER BY Earliest
