-- The newest price of each model.
SELECT
  Model AS model,
  argMax(InputUsdPerMillionTokens, UpdatedAt) AS input,
  argMax(OutputUsdPerMillionTokens, UpdatedAt) AS output,
  argMax(tuple(CacheReadUsdPerMillionTokens), UpdatedAt).1 AS cacheRead,
  argMax(tuple(CacheWriteUsdPerMillionTokens), UpdatedAt).1 AS cacheWrite
FROM ${database}.model_prices
WHERE Model != ''
GROUP BY model
