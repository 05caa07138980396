-- The disks that contain a database's tables, and the space that the spans of the last week take on them.
SELECT
  disks.name AS disk,
  toFloat64(disks.unreserved_space) AS free,
  toFloat64(disks.total_space) AS total,
  toFloat64(sum(parts.bytes_on_disk)) AS used,
  toFloat64(sumIf(parts.bytes_on_disk, parts.table = 'otel_traces' AND parts.max_time > now() - INTERVAL 7 DAY)) AS week
FROM system.disks AS disks
INNER JOIN (SELECT disk_name, table, bytes_on_disk, max_time FROM system.parts WHERE database = {database:String} AND active) AS parts
  ON parts.disk_name = disks.name
GROUP BY disk, free, total
ORDER BY disk
