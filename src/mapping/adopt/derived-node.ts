import { spanName, type Role, type StoredSpan } from '../../semconv/index.js'
import { hashId } from '../tree/index.js'
import { type AdoptNode, newNode } from './adopt-node.js'

/**
 * Creates a span that was not sent, derived from the span `of`. Its id is a hash of the trace, that span and the role.
 */
export function derivedNode(role: Role, of: StoredSpan, subject?: string): AdoptNode {
  const span: StoredSpan = {
    ...of,
    spanId: hashId(`${of.traceId}/${of.spanId}/${role}`, 16),
    parentSpanId: '',
    name: spanName(role, subject),
    kind: 'Internal',
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: {},
    events: [],
    links: [],
  }
  return newNode(span, role)
}

/** Extends a node from the first start to the last end of other nodes. It is open while one of them is. */
export function extendOver(node: AdoptNode, over: readonly AdoptNode[]): void {
  for (const { span, pending } of over) {
    const { startTimeUnixNano, endTimeUnixNano } = node.span
    node.pending ||= pending
    node.span = {
      ...node.span,
      startTimeUnixNano: span.startTimeUnixNano < startTimeUnixNano ? span.startTimeUnixNano : startTimeUnixNano,
      endTimeUnixNano: span.endTimeUnixNano > endTimeUnixNano ? span.endTimeUnixNano : endTimeUnixNano,
    }
  }
}
