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

/** What each span reports: its usage, cost and totals all need it. */
const known = new WeakMap<FoldedSpan, ReportedTokens>()

/** Returns the tokens that a model call reports; a call that has not ended reports none. */
export function callTokensOf({ span }: Pick<SpanNode, 'span'>): ReportedTokens {
  if (span.pending) return NO_TOKENS
  const found = known.get(span)
  if (found) return found
  const tokens = decodeFields(TOKENS, span.attributes)
  known.set(span, tokens)
  return tokens
}

/** Returns the tokens of a model call; undefined where it reports none. */
export const tokensOf = (call: SpanNode): number | undefined => totalTokensOf(callTokensOf(call))

/** Returns the cost of a model call, US dollars; undefined where it is not known. */
export type CostOfCall = (call: SpanNode) => number | undefined

/** Prices model calls by the requested model, otherwise by the one that answered. */
export const pricedBy =
  (prices: ReadonlyMap<string, ModelPrice>): CostOfCall =>
  (call) => {
    const { [ATTR.requestModel]: requested, [ATTR.responseModel]: answering } = call.span.attributes
    return costOf(callTokensOf(call), prices.get(requested || answering || ''))
  }
