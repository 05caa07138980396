-- Counts the plans with each value of each facet; the facet '' counts all plans.
SELECT facet, value, count() AS plans
FROM (
  SELECT facet, values
  FROM ${database}.plan_rows FINAL
  ARRAY JOIN ${facets} AS facet, ${values} AS values
  WHERE ${where}
)
ARRAY JOIN values AS value
GROUP BY facet, value
ORDER BY plans DESC, value
LIMIT {values:UInt32} BY facet
