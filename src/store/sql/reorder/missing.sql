-- The spans of a step that one table has and the other lacks, or has only in an earlier row: a hash of what rows of a span share.
SELECT Key
FROM (
  SELECT ${key} AS Key, Recency + 1 AS Had, 0 AS Has FROM ${database}.${from} WHERE ${step}
  UNION ALL
  SELECT ${key} AS Key, 0 AS Had, Recency + 1 AS Has FROM ${database}.${to} WHERE ${step}
)
GROUP BY Key
HAVING max(Had) > max(Has)
