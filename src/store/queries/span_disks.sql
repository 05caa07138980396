-- How much of the spans lies on each disk, and for how many days the oldest part there has had no newer span.
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
