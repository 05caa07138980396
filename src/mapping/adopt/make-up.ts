import { spanName, type Role, type StoredSpan } from '../../semconv/index.js'
import { hashId } from '../tree/index.js'
import { type AdoptNode, newNode } from './adopt-node.js'

/** A span that nobody sent, made for what `of` tells; its id is the hash of trace, that span and the role. */
export function madeUp(role: Role, of: StoredSpan, subject?: string): AdoptNode {
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

/** Lets a node last from the first start to the last end of some others; it goes on while one of them does. */
export function spread(node: AdoptNode, over: readonly AdoptNode[]): void {
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
