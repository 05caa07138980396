import { spanName, type Role, type StoredSpan } from '../../semconv/index.js'
import { hashId } from '../tree/index.js'
import { type AdoptNode, newNode } from './adopt-node.js'

/**
 * Creates a span that was not sent, derived from the span `of`. Its id is a hash of the trace, that span, the role and,
 * if several spans of the role are derived from one, the `part`.
 */
export function derivedNode(role: Role, of: StoredSpan, part = ''): AdoptNode {
  const span: StoredSpan = {
    ...of,
    spanId: hashId(`${of.traceId}/${of.spanId}/${role}${part}`, 16),
    parentSpanId: '',
    name: spanName(role),
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
