SELECT
    Model AS PriceModel,
    argMax(InputUsdPerMillionTokens, UpdatedAt) AS InputUsd,
    argMax(OutputUsdPerMillionTokens, UpdatedAt) AS OutputUsd,
    argMax(tuple(CacheReadUsdPerMillionTokens), UpdatedAt).1 AS CacheReadUsd,
    argMax(tuple(CacheWriteUsdPerMillionTokens), UpdatedAt).1 AS CacheWriteUsd
  FROM ${database}.model_prices
  WHERE Model != ''
  GROUP BY PriceModel
