-- The parts of a server's span table with rows of later blocks than some positions.
SELECT
  partition_id AS partition,
  name,
  toUInt64(min_block_number) AS minBlock,
  toUInt64(max_block_number) AS maxBlock,
  toUInt64(rows) AS rowCount,
  toUnixTimestamp(modification_time) AS modified
FROM system.parts
WHERE database = {database:String} AND table = {table:String} AND active
  AND max_block_number > transform(partition_id, {partitions:Array(String)}, {blocks:Array(UInt64)}, 0::UInt64)
ORDER BY min_block_number, name
