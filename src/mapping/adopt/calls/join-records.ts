import { appendTo } from '../../../base/append.js'
import { absorb, above, type AdoptNode, byStart } from '../adopt-node.js'
import { type CallSigns, isSameModel, signsOf } from './call-signs.js'
import { extendOver } from '../derived-node.js'

/**
 * Joins the records that two instrumentations made of one call beside each other: with the same id or the same values,
 * at the same time or one directly after the other.
 */
export function joinRecords(nodes: readonly AdoptNode[]): void {
  for (const kind of ['llm', 'tool']) {
    const byWorker = new Map<AdoptNode | undefined, AdoptNode[]>()
    for (const node of nodes) if (node.own === undefined && node.kind === kind) appendTo(byWorker, workerOf(node), node)
    for (const calls of byWorker.values()) {
      // One instrumentation does not record a call twice.
      if (calls.some(({ span }) => span.scopeName !== calls[0]?.span.scopeName)) joinAmong(calls.sort(byStart))
    }
  }
}

/** The nearest agent, plan or call above a call and its cycle. */
function workerOf(call: AdoptNode): AdoptNode | undefined {
  let node = above(call)
  while (node?.kind === 'think_act') node = above(node)
  return node
}

interface Call extends CallSigns {
  readonly node: AdoptNode
}

function joinAmong(nodes: readonly AdoptNode[]): void {
  const bySign = new Map<string, readonly Call[]>()
  let before: Call | undefined
  for (const node of nodes) {
    const call = { node, ...signsOf(node) }
    const signs = [call.id, ...call.answer, call.tokens].filter((sign) => sign !== undefined)
    let keeper: Call | undefined
    for (const sign of signs) {
      // Calls that are over can't be the same as this one, or as a later one.
      const near = (bySign.get(sign) ?? []).filter((other) => other === before || isDuring(node, other.node))
      keeper ??= near.find((other) => isOtherRecord(other, call))
      bySign.set(sign, near)
    }
    if (keeper) {
      absorb(keeper.node, node)
      extendOver(keeper.node, [node])
      continue
    }
    before = call
    for (const sign of signs) bySign.set(sign, [...(bySign.get(sign) ?? []), call])
  }
}

const isDuring = (call: AdoptNode, other: AdoptNode): boolean =>
  call.span.startTimeUnixNano < other.span.endTimeUnixNano

/**
 * Whether a record may be of a known call: from an instrumentation that has not recorded it, and without another model,
 * id or answer. A framework may make up an id of its own, so that two ids during one time are no contradiction.
 */
function isOtherRecord(known: Call, found: Call): boolean {
  const { scopeName } = found.node.span
  if ([known.node, ...known.node.twins].some(({ span }) => span.scopeName === scopeName)) return false
  if (!isSameModel(known.node, found.node)) return false
  if (known.id !== undefined && known.id === found.id) return true
  if (known.id !== undefined && found.id !== undefined && !isDuring(found.node, known.node)) return false
  return known.answer.length === 0 || found.answer.length === 0
    ? isDuring(found.node, known.node)
    : found.answer.some((sign) => known.answer.includes(sign))
}
