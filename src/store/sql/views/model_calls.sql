-- Of several rows of a model in model_prices the newest counts.
SELECT
  ${columns}
FROM ${calls}
ANY LEFT JOIN (
  SELECT
    Model AS model,
    argMax(InputUsdPerMillionTokens, UpdatedAt) AS input,
    argMax(OutputUsdPerMillionTokens, UpdatedAt) AS output,
    argMax(tuple(CacheReadUsdPerMillionTokens), UpdatedAt).1 AS cacheRead,
    argMax(tuple(CacheWriteUsdPerMillionTokens), UpdatedAt).1 AS cacheWrite
  FROM ${database}.model_prices
  WHERE Model != ''
  GROUP BY Model
) AS price ON ${priced_model} = price.model
