-- How many of all plans stand how.
SELECT state, count() AS plans
FROM (
  SELECT state FROM (${own_plans})
  UNION ALL
  SELECT state FROM (${foreign_plans})
)
GROUP BY state
