-- What a model's tokens cost, for the views: filled by hand, or from a price list. Of several rows of a model the newest counts.
CREATE TABLE IF NOT EXISTS ${database}.model_prices (
  Model String COMMENT 'The model as model calls name it',
  InputUsdPerMillionTokens Float64 COMMENT 'US dollars a million input tokens that no cache had',
  OutputUsdPerMillionTokens Float64 COMMENT 'US dollars a million output tokens',
  CacheReadUsdPerMillionTokens Nullable(Float64) COMMENT 'US dollars a million input tokens read from a cache; NULL: as other input',
  CacheWriteUsdPerMillionTokens Nullable(Float64) COMMENT 'US dollars a million input tokens written to a cache; NULL: as other input',
  UpdatedAt DateTime64(3) DEFAULT now64(3)
) ENGINE = MergeTree
ORDER BY Model
SETTINGS index_granularity = 1024;
