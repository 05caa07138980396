if(
    price.PriceModel = '' OR isNull(TotalTokens), NULL,
    (
      greatest(ifNull(call.InputTokens, 0) - ifNull(call.CacheReadTokens, 0) - ifNull(call.CacheWriteTokens, 0), 0) * price.InputUsd
      + ifNull(call.CacheReadTokens, 0) * ifNull(price.CacheReadUsd, price.InputUsd)
      + ifNull(call.CacheWriteTokens, 0) * ifNull(price.CacheWriteUsd, price.InputUsd)
      + ifNull(call.OutputTokens, 0) * price.OutputUsd
    ) / 1000000
  )
