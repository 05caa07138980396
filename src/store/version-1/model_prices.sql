-- The prices of models, for the views: added by hand, or from a price list. The newest row of a model counts.
CREATE TABLE IF NOT EXISTS ${database}.model_prices (
  Model String COMMENT 'The name of the model in model calls',
  InputUsdPerMillionTokens Float64 COMMENT 'US dollars per million input tokens that were not read from or written to a cache',
  OutputUsdPerMillionTokens Float64 COMMENT 'US dollars per million output tokens',
  CacheReadUsdPerMillionTokens Nullable(Float64) COMMENT 'US dollars per million input tokens read from a cache; NULL: same as other input',
  CacheWriteUsdPerMillionTokens Nullable(Float64) COMMENT 'US dollars per million input tokens written to a cache; NULL: same as other input',
  UpdatedAt DateTime64(3) DEFAULT now64(3)
) ENGINE = MergeTree
ORDER BY Model
SETTINGS index_granularity = 1024;
