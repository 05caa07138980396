import { decodeFields, everySpanFields, ROLE_FIELDS } from '../../../semconv/index.js'
import type { SpanNode } from '../../tree.js'
import type { Values } from './present.js'

/** What a span tells its object. */
export interface SpanValues {
  readonly every: Values
  readonly own: Values
}

export type ValuesOf = (node: SpanNode) => SpanValues

/** The values that an imported record's span carries: its attributes, and nothing derived from them. */
export const storedValues: ValuesOf = (node) => ({
  every: decodeFields(everySpanFields, node.span.attributes),
  own: node.role ? decodeFields(ROLE_FIELDS[node.role], node.span.attributes) : {},
})
