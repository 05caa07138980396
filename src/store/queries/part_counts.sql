-- The largest number of parts in a partition of each table, and the limits at which ClickHouse delays and rejects
-- inserts.
SELECT
  parts.table AS table,
  toUInt32(max(parts.parts)) AS most,
  toUInt32(any(if(tables.delay = '', defaults.delay, tables.delay))) AS delayAt,
  toUInt32(any(if(tables.refuse = '', defaults.refuse, tables.refuse))) AS refuseAt
FROM (
  SELECT table, partition, count() AS parts FROM system.parts WHERE database = {database:String} AND active
  GROUP BY table, partition
) AS parts
INNER JOIN (
  SELECT
    name,
    extract(engine_full, 'parts_to_delay_insert = (\\d+)') AS delay,
    extract(engine_full, 'parts_to_throw_insert = (\\d+)') AS refuse
  FROM system.tables WHERE database = {database:String}
) AS tables ON tables.name = parts.table
CROSS JOIN (
  SELECT anyIf(value, name = 'parts_to_delay_insert') AS delay, anyIf(value, name = 'parts_to_throw_insert') AS refuse
  FROM system.merge_tree_settings
) AS defaults
GROUP BY table
ORDER BY table
