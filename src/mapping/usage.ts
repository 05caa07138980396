import { decodeFields, type FieldValues, llmFields } from '../semconv/index.js'
import { walk, type SpanNode } from './tree.js'

/** Tokens, summed over the model calls below a span. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = llmFields
const usageFields = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }

/** The usage of all model calls at and below a node; undefined where none tells any. Snapshots don't count. */
export function usageBelow(root: SpanNode): TokenUsage | undefined {
  const calls: FieldValues<typeof usageFields>[] = []
  for (const node of walk(root)) {
    if (node.role !== 'llm' || node.span.pending) continue
    const call = decodeFields(usageFields, node.span.attributes)
    if (call.inputTokens !== undefined || call.outputTokens !== undefined) calls.push(call)
  }
  if (calls.length === 0) return undefined
  const sum = (field: keyof Omit<TokenUsage, 'totalTokens'>): number =>
    calls.reduce((total, call) => total + (call[field] ?? 0), 0)
  const inputTokens = sum('inputTokens')
  const outputTokens = sum('outputTokens')
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    reasoningTokens: sum('reasoningTokens'),
  }
}
