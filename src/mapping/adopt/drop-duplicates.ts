import { absorb, above, type AdoptNode } from './adopt-node.js'
import { factOf } from './fact-place.js'
import { TOOL_CALL_ID, TOOL_NAME } from './fact-places.js'

/**
 * Drops duplicates: of a span that was recorded by two instrumentations, or by a wrapper and its content, the outer
 * node represents both.
 */
export function dropDuplicates(nodes: readonly AdoptNode[]): void {
  for (const node of nodes) {
    const outer = node.own === undefined ? above(node) : undefined
    if (!outer || outer.kind !== node.kind) continue
    if (node.kind === 'llm' || (node.kind === 'tool' && isSameCall(node, outer))) absorb(outer, node)
  }
  joinMoments(nodes)
}

function isSameCall(node: AdoptNode, outer: AdoptNode): boolean {
  const [id, outerId] = [factOf(node.span, TOOL_CALL_ID), factOf(outer.span, TOOL_CALL_ID)]
  if (id !== undefined && outerId !== undefined) return id === outerId
  return factOf(node.span, TOOL_NAME) === factOf(outer.span, TOOL_NAME)
}

const MOMENT = /^(?<stem>.+)\.(?:start|success|finish|update|error)-\d+$/

/** Joins the spans for moments of one call: `X.start-1` and `X.success-2` below one parent. */
function joinMoments(nodes: readonly AdoptNode[]): void {
  const calls = new Map<string, AdoptNode>()
  for (const node of nodes) {
    const stem =
      node.own === undefined && (node.kind === 'tool' || node.kind === 'llm')
        ? MOMENT.exec(node.span.name)?.groups?.['stem']
        : undefined
    if (stem === undefined) continue
    const key = `${node.parent?.span.spanId ?? ''} ${stem}`
    const first = calls.get(key)
    if (first) absorb(first, node)
    else calls.set(key, node)
  }
}
