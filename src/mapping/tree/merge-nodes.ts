import { append } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { joinSpans } from './join-spans.js'
import { ancestors, type SpanNode } from './span-node.js'

export type Parts = readonly [SpanNode, ...SpanNode[]]

/**
 * Merges the parts of a plan, agent or wait into the first node. It takes the place of the first or last part that is
 * not below another part.
 */
export function mergeNodes(parts: Parts, place: 'first' | 'last'): SpanNode {
  const [node] = parts
  const all = new Set<SpanNode>(parts)
  const outer = parts.filter((part) => ![...ancestors(part)].some((above) => all.has(above)))
  const at = outer.at(place === 'first' ? 0 : -1) ?? node
  const { parent, orphan, segment } = at
  const { begun } = parts.at(-1) ?? node
  node.span = inPlaceOf(at.span, joinSpans([node.span, ...parts.slice(1).map(({ span }) => span)]))
  node.gaps = parts.flatMap(({ gaps }) => gaps)
  for (const part of parts) detach(part)
  for (const part of parts.slice(1)) {
    part.parent = node
    for (const child of part.children) child.parent = node
    append(node.children, part.children.splice(0))
  }
  parent?.children.push(node)
  Object.assign(node, { parent, orphan, segment, begun })
  return node
}

/** The span with the parent order of another span. */
function inPlaceOf(place: FoldedSpan, span: FoldedSpan): FoldedSpan {
  const { [ATTR.seq]: _, ...attributes } = span.attributes
  const seq = place.attributes[ATTR.seq]
  return { ...span, attributes: seq === undefined ? attributes : { ...attributes, [ATTR.seq]: seq } }
}

function detach(node: SpanNode): void {
  const siblings = node.parent?.children
  const place = siblings?.indexOf(node) ?? -1
  if (place >= 0) siblings?.splice(place, 1)
  node.parent = undefined
}
