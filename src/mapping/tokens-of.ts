import { decodeFields, llmFields } from '../semconv/index.js'
import { type CallTokens, totalTokensOf } from './call-cost.js'
import type { SpanNode } from './tree.js'

const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, totalTokens } = llmFields
const TOKENS = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, statedTotalTokens: totalTokens }

/** Returns the tokens that a model call reports; a call that has not ended reports none. */
export const callTokensOf = ({ span }: SpanNode): CallTokens =>
  span.pending ? {} : decodeFields(TOKENS, span.attributes)

/** Returns the tokens of a model call; undefined where it reports none. */
export const tokensOf = (call: SpanNode): number | undefined => totalTokensOf(callTokensOf(call))
