import { PRICED_TOKENS, TOKENS_PER_PRICE } from '../../semconv/index.js'
import type { ViewColumn } from './column.js'
import { column } from './role-columns.js'

/** The model whose price applies. */
export const PRICED_MODEL = `if(span.Model != '', span.Model, span.ResponseModel)`

const TOTAL =
  'if(isNull(span.InputTokens) AND isNull(span.OutputTokens), span.StatedTotalTokens, ' +
  'ifNull(span.InputTokens, 0) + ifNull(span.OutputTokens, 0))'

/** `inputTokens` → the column of `span`. */
const tokensOf = (kind: string): string => `ifNull(span.${kind.charAt(0).toUpperCase()}${kind.slice(1)}, 0)`

/** The cost of a call, from its tokens and the columns of its `price`, as `costOf` of the mapping computes it. */
const COST = PRICED_TOKENS.map(({ tokens, except, price, otherwise }) => {
  const count = [tokens, ...except].map(tokensOf).join(' - ')
  const usd = otherwise === undefined ? `price.${price}` : `ifNull(price.${price}, price.${otherwise})`
  return `${except.length === 0 ? count : `greatest(${count}, 0)`} * ${usd}`
}).join(' + ')

/** The columns of `model_calls` beside the fields of the spans. */
export const MODEL_CALL: readonly ViewColumn[] = [
  column(
    'PricedModel',
    'String',
    'The model whose price applies: the requested model, or the response model if none was requested.',
    PRICED_MODEL,
  ),
  column('UsageRole', 'String', 'The component that made the call: agent, world_model, harmonyguard or reactive.'),
  column(
    'TotalTokens',
    'Nullable(Int64)',
    'Input and output tokens, or the total of a record that contains only a total.',
    TOTAL,
  ),
  column(
    'CostUsd',
    'Nullable(Float64)',
    'The cost of the tokens, US dollars; NULL without tokens, and for a model without a price in model_prices.',
    `if(price.model = '' OR isNull(TotalTokens), NULL, (${COST}) / ${String(TOKENS_PER_PRICE)})`,
  ),
]
