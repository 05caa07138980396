import { appendTo } from '../../../base/append.js'
import type { StoredSpan } from '../../../semconv/index.js'
import { sumOf } from '../../usage/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { callTokensOf, hasTokens, statedCostOf, sumTokens, type Tokens } from './span-tokens.js'

/** The tokens and the cost that the records of a call report. */
type CallUsage = Tokens & { readonly costUsd?: number | undefined }

/**
 * Returns the usage of a call: that of its own span, otherwise what another instrumentation recorded. The calls that
 * one instrumentation recorded within the call are its parts. Cached and reasoning tokens that the span lacks are taken
 * from a record with the same tokens.
 */
export function callUsage({ span, twins }: AdoptNode): CallUsage {
  const own = callTokensOf(span)
  const others = byRecorder(twins.map((twin) => twin.span).filter((other) => other !== span))
  const sums = others.map((parts) => sumTokens(parts.map(callTokensOf)))
  const found = hasTokens(own) ? sums.find((sum) => isSameSum(sum, own)) : sums.find(hasTokens)
  const costs = others.map((parts) => sumOf(parts.map(statedCostOf)))
  return { ...found, ...own, costUsd: statedCostOf(span) ?? costs.find((cost) => cost !== undefined) }
}

const isSameSum = (sum: Tokens, own: Tokens): boolean =>
  sum.inputTokens === own.inputTokens && sum.outputTokens === own.outputTokens

function byRecorder(spans: readonly StoredSpan[]): StoredSpan[][] {
  const lists = new Map<string, StoredSpan[]>()
  for (const span of spans) appendTo(lists, span.scopeName, span)
  return [...lists.values()]
}
