-- The size of the spans on each disk, and the age of the newest span in the oldest part there, days.
SELECT
  parts.disk_name AS disk,
  any(volumes.volume_name) AS volume,
  toFloat64(sum(parts.rows)) AS rows,
  toFloat64(sum(parts.bytes_on_disk)) AS bytes,
  toFloat64(max(if(parts.max_time = 0, 0, intDiv(toUnixTimestamp(now()) - toUnixTimestamp(parts.max_time), 86400)))) AS oldestDays
FROM system.parts AS parts
LEFT JOIN (
  SELECT volume_name, arrayJoin(disks) AS disk_name FROM system.storage_policies WHERE policy_name = {policy:String}
) AS volumes ON volumes.disk_name = parts.disk_name
WHERE parts.database = {database:String} AND parts.table = 'otel_traces' AND parts.active AND parts.rows > 0
GROUP BY disk
ORDER BY disk
