-- The starts of the first plans in an order. A plan appears several times if earlier versions of its row are not
-- merged.
SELECT toString(${rank}) AS rank, toString(toUnixTimestamp64Nano(Timestamp)) AS start
FROM ${database}.plan_rows
WHERE ${where}
ORDER BY ${order}
LIMIT {rows:UInt32}
