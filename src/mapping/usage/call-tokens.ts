import { ATTR, decodeFields, type FieldValues, llmFields } from '../../semconv/index.js'
import { costOf, type ModelPrice, totalTokensOf } from './call-cost.js'
import type { FoldedSpan, SpanNode } from '../tree/index.js'

const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, totalTokens } = llmFields
const TOKENS = {
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens,
  statedTotalTokens: totalTokens,
}

/** The tokens that a model call reports. */
export type ReportedTokens = FieldValues<typeof TOKENS>

const NO_TOKENS: ReportedTokens = {}

/** A cache, because usage, cost and totals all read the tokens of each span. */
const known = new WeakMap<FoldedSpan, ReportedTokens>()

/** Returns the tokens that a model call reports. An open call reports no tokens. */
export function callTokensOf({ span }: Pick<SpanNode, 'span'>): ReportedTokens {
  if (span.pending) return NO_TOKENS
  const found = known.get(span)
  if (found) return found
  const tokens = decodeFields(TOKENS, span.attributes)
  known.set(span, tokens)
  return tokens
}

/** Returns the total tokens of a model call. Undefined if the call reports no tokens. */
export const tokensOf = (call: SpanNode): number | undefined => totalTokensOf(callTokensOf(call))

/** Returns the cost of a model call in US dollars. Undefined if unknown. */
export type CostOfCall = (call: SpanNode) => number | undefined

/**
 * Returns the cost that a call reports, otherwise the price of the requested model, or of the model that responded if
 * the requested model has no price: it may be the name of a deployment.
 */
export const pricedBy =
  (prices: ReadonlyMap<string, ModelPrice>): CostOfCall =>
  (call) => {
    const { [ATTR.requestModel]: requested = '', [ATTR.responseModel]: answering = '' } = call.span.attributes
    return statedCostOf(call) ?? costOf(callTokensOf(call), prices.get(requested) ?? prices.get(answering))
  }

function statedCostOf({ span }: SpanNode): number | undefined {
  return span.pending ? undefined : decodeFields({ costUsd: llmFields.costUsd }, span.attributes).costUsd
}
