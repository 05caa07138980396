import { decodeFields, everySpanFields, type FieldValue, ROLE_FIELDS } from '../../../semconv/index.js'
import type { SpanNode } from '../../tree.js'

/** What a span tells its object. */
export interface SpanValues {
  readonly every: Readonly<Record<string, FieldValue | undefined>>
  readonly own: Readonly<Record<string, FieldValue | undefined>>
  /** The tool call that a sub-plan hangs below. */
  readonly parentTool: SpanNode | undefined
}

export type ValuesOf = (node: SpanNode) => SpanValues

/** The values that an imported record's span carries: its attributes, and nothing derived from them. */
export const storedValues: ValuesOf = (node) => ({
  every: decodeFields(everySpanFields, node.span.attributes),
  own: node.role ? decodeFields(ROLE_FIELDS[node.role], node.span.attributes) : {},
  parentTool: parentToolOf(node),
})

/** The tool call above a plan, other foreign spans between them notwithstanding. */
export function parentToolOf(node: SpanNode): SpanNode | undefined {
  if (node.role !== 'plan') return undefined
  let above = node.parent
  while (above && above.role === undefined) above = above.parent
  return above?.role === 'tool' ? above : undefined
}
