-- Views last: they read tables.
SELECT create_table_query AS text
FROM system.tables
WHERE database IN {databases:Array(String)} AND (engine LIKE '%MergeTree' OR engine IN ('Null', 'View'))
ORDER BY engine = 'View', database, name
SETTINGS show_table_uuid_in_table_create_query_if_not_nil = 1
