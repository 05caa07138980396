-- A record that tells no times may tell durations.
SELECT
  * REPLACE (coalesce(DurationMs, ActionDurationSeconds * 1000, DurationSeconds * 1000) AS DurationMs)
FROM (
  ${open_tool}
  UNION ALL
  ${foreign_tool}
)
