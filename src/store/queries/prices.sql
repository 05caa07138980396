-- The newest price of each model. Rows of price lists are dated before the rows that people add.
SELECT
  Model AS model,
  argMax(InputUsdPerMillionTokens, UpdatedAt) AS input,
  argMax(OutputUsdPerMillionTokens, UpdatedAt) AS output,
  argMax(tuple(CacheReadUsdPerMillionTokens), UpdatedAt).1 AS cacheRead,
  argMax(tuple(CacheWriteUsdPerMillionTokens), UpdatedAt).1 AS cacheWrite,
  toString(toUnixTimestamp64Milli(max(UpdatedAt))) AS updatedAt
FROM ${database}.model_prices
WHERE Model != ''
GROUP BY model
