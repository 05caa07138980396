import { ATTR } from '../../semconv/index.js'
import { type FoldedSpan, progressOf, silentAt, stateIfBegun, isSubPlan, type SpanNode } from '../tree/index.js'

/**
 * Returns for each span when its state becomes `interrupted` if nothing more arrives, Unix nanoseconds: when its live
 * root plan has been silent for longer than its heartbeat interval. The forest must be built without a time.
 */
export function interruptionsOf(
  roots: readonly SpanNode[],
  spans: readonly FoldedSpan[],
): ReadonlyMap<SpanNode, bigint> {
  const progress = progressOf(spans)
  const times = new Map<SpanNode, bigint>()
  if (spans.some(({ attributes }) => attributes[ATTR.recordDialect])) return times
  const pending = roots.map((node) => ({ node, isBelowPlan: false, time: undefined as bigint | undefined }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next
    let { isBelowPlan, time } = next
    if (node.role === 'plan') {
      if (!isBelowPlan || !isSubPlan(node)) {
        const limit = node.span.pending ? silentAt(node, progress(node)) : undefined
        // At the limit itself the plan is not interrupted yet.
        time = limit !== undefined && standingIf(node, 'isSilent') === 'interrupted' ? limit + 1n : undefined
        if (time !== undefined && stateIfBegun(node) !== 'interrupted') times.set(node, time)
      } else note(node, time)
      isBelowPlan = true
    } else note(node, time)
    for (const child of node.children) pending.push({ node: child, isBelowPlan, time })
  }
  return times

  function note(node: SpanNode, time: bigint | undefined): void {
    if (time === undefined || node.role === undefined) return
    if (standingIf(node, 'belowOver') === 'interrupted' && stateIfBegun(node) !== 'interrupted') times.set(node, time)
  }
}

const standingIf = (node: SpanNode, fact: 'isSilent' | 'belowOver') =>
  stateIfBegun({ ...node, around: { ...node.around, [fact]: true } })
