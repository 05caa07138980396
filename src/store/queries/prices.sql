-- The price of each model: of several rows the newest counts. The rows of price lists are dated before all others.
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
