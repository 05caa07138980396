-- The parts of a server's span table that contain blocks after some positions, and the last block of each partition
-- that is recorded as indexed.
SELECT
  partition_id AS partition,
  name,
  toUInt64(min_block_number) AS minBlock,
  toUInt64(max_block_number) AS maxBlock,
  toUInt64(rows) AS rowCount,
  toUnixTimestamp(modification_time) AS modified,
  noted.Block AS noted
FROM system.parts
LEFT JOIN (
  SELECT Partition, max(Block) AS Block FROM ${database}.index_watermarks WHERE Source = {source:String} GROUP BY Partition
) AS noted ON noted.Partition = partition_id
WHERE database = {database:String} AND table = {table:String} AND active
  AND max_block_number > transform(partition_id, {partitions:Array(String)}, {blocks:Array(UInt64)}, 0::UInt64)
ORDER BY min_block_number, name
