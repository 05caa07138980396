-- The parts of a server's span table with rows of later blocks than those that were indexed.
SELECT
  part.partition_id AS partition,
  part.name AS name,
  toUInt64(part.min_block_number) AS minBlock,
  toUInt64(part.max_block_number) AS maxBlock,
  toUInt64(part.rows) AS rows,
  toUnixTimestamp(part.modification_time) AS modified,
  mark.Block AS indexed
FROM system.parts AS part
LEFT JOIN (
  SELECT Partition, max(Block) AS Block
  FROM ${database}.index_watermarks
  WHERE Source = {source:String}
  GROUP BY Partition
) AS mark ON mark.Partition = part.partition_id
WHERE part.database = {database:String} AND part.table = {table:String} AND part.active AND part.max_block_number > indexed
ORDER BY part.min_block_number, part.name
