SELECT concat(database, '.', table, ' ', partition_id) AS place, max(max_block_number) AS block, max(data_version) AS version
FROM system.parts
WHERE active AND database IN {databases:Array(String)}
GROUP BY place
