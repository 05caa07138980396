import { ATTR, decodeFields, type FieldValues, llmFields } from '../semconv/index.js'
import { nearest, walk, type SpanNode } from './tree.js'

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

type Told = FieldValues<typeof usageFields>

/**
 * The usage of all model calls at and below a node, undefined where none tells any; of an adopted plan then what its
 * agents tell. Snapshots don't count.
 */
export function usageBelow(root: SpanNode): TokenUsage | undefined {
  const calls = [...walk(root)].filter(({ role }) => role === 'llm').flatMap(toldBy)
  const told = calls.length > 0 ? calls : sumsOf(root)
  return told.length > 0 ? totalOf(told) : undefined
}

function toldBy({ span }: SpanNode): Told[] {
  if (span.pending) return []
  const told = decodeFields(usageFields, span.attributes)
  return told.inputTokens === undefined && told.outputTokens === undefined ? [] : [told]
}

/** What the topmost adopted agents tell of all that they did. */
function sumsOf(root: SpanNode): Told[] {
  const agents = root.role === 'agent' ? [root] : nearest(root, 'agent', ['planning'])
  return agents.filter(({ span }) => ATTR.adoptedConvention in span.attributes).flatMap(toldBy)
}

function totalOf(calls: readonly Told[]): TokenUsage {
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
