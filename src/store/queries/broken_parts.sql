-- The first parts that ClickHouse could not read and therefore set aside. Parts that people detached have no reason.
SELECT
  table,
  name AS part,
  partition_id AS partition,
  reason,
  path,
  toFloat64(bytes_on_disk) AS bytes
FROM system.detached_parts
WHERE database = {database:String} AND reason LIKE '%broken%' AND reason NOT LIKE 'covered-by%'
ORDER BY table, part
LIMIT 1000
