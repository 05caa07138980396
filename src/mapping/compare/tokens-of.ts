import { decodeFields, llmFields } from '../../semconv/index.js'
import type { SpanNode } from '../tree.js'

const { inputTokens, outputTokens, totalTokens } = llmFields
const TOLD = { inputTokens, outputTokens, totalTokens }

/** The tokens of a model call, as lists sum them up. */
export function tokensOf({ span }: SpanNode): number | undefined {
  if (span.pending) return undefined
  const told = decodeFields(TOLD, span.attributes)
  if (told.inputTokens === undefined && told.outputTokens === undefined) return told.totalTokens
  return (told.inputTokens ?? 0) + (told.outputTokens ?? 0)
}
