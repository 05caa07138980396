-- How many rows begin in each minute, the newest first.
SELECT toString(intDiv(toUnixTimestamp64Nano(Timestamp), 60000000000) AS Minute) AS minute, toUInt32(count()) AS rows
FROM ${database}.${from}
GROUP BY Minute
ORDER BY Minute DESC
