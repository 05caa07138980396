-- ClickHouse's own listeners, then a query that keeps the engine up for 95 years: one row every three seconds, and a look
-- at its progress once a second instead of ten times.
SYSTEM START LISTEN TCP;
SYSTEM START LISTEN HTTP;
SELECT sleepEachRow(3) FROM numbers(1000000000)
SETTINGS max_block_size = 1, max_threads = 1, max_execution_time = 0, interactive_delay = 1000000
FORMAT Null;
