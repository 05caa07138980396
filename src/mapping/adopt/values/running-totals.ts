import { appendTo } from '../../../base/append.js'
import { ATTR } from '../../../semconv/index.js'
import { type AdoptNode, byStart } from '../adopt-node.js'
import { callTokensOf, hasTokens, type Tokens } from './span-tokens.js'

/** Attributes of the spans of a framework that adds the usage of each model call to that of the calls before it. */
const SUMS_UP = ['spring.ai.kind']

const ATTRIBUTES = {
  inputTokens: ATTR.usageInputTokens,
  outputTokens: ATTR.usageOutputTokens,
  cacheReadTokens: ATTR.usageCacheReadTokens,
  cacheWriteTokens: ATTR.usageCacheWriteTokens,
  reasoningTokens: ATTR.usageReasoningTokens,
} as const satisfies Record<keyof Tokens, string>

/** Replaces the running totals of a request's model calls by the tokens of each call. */
export function resolveRunningTotals(nodes: readonly AdoptNode[]): void {
  const requests = new Map<AdoptNode, AdoptNode[]>()
  for (const node of nodes) {
    const { own, kind, parent } = node
    if (own !== undefined || kind !== 'llm' || !parent) continue
    if (SUMS_UP.some((key) => key in parent.span.attributes)) appendTo(requests, parent, node)
  }
  for (const calls of requests.values()) subtractBefore(calls.sort(byStart))
}

function subtractBefore(nodes: readonly AdoptNode[]): void {
  const calls = nodes
    .map((node) => ({ node, tokens: callTokensOf(node.span) }))
    .filter(({ tokens }) => hasTokens(tokens))
  if (!areTotals(calls.map(({ tokens }) => tokens))) return
  for (const [at, { node, tokens }] of calls.entries()) {
    const before = calls[at - 1]?.tokens ?? {}
    for (const name of Object.keys(before) as (keyof Tokens)[]) {
      node.attributes[ATTRIBUTES[name]] = String(Math.max((tokens[name] ?? 0) - (before[name] ?? 0), 0))
    }
  }
}

/** Whether counts may be totals: each call reads at least what the call before it read, and writes something. */
function areTotals(calls: readonly Tokens[]): boolean {
  let [input, output, read] = [0, 0, 0]
  for (const { inputTokens = 0, outputTokens = 0 } of calls) {
    if (outputTokens <= output || inputTokens - input < read) return false
    ;[read, input, output] = [inputTokens - input, inputTokens, outputTokens]
  }
  return calls.length > 1
}
