import { append } from '../../../base/append.js'
import type { SpanNode } from '../../tree/index.js'
import type { SpanDraft } from '../span-draft.js'

/** Returns a draft and those below it, parents first. */
export function flatten(root: SpanDraft): SpanDraft[] {
  const list: SpanDraft[] = []
  const pending = [root]
  for (let next = pending.pop(); next; next = pending.pop()) {
    list.push(next)
    append(pending, next.children.toReversed())
  }
  return list
}

/**
 * Finds for each span the draft that states most about it, by its index: the draft that was read from the span's own
 * object, otherwise the draft in the same position below the parent's, counted from the last of the role.
 */
export function alignReading(root: SpanNode, read: readonly SpanDraft[]): ReadonlyMap<SpanNode, number> {
  const indexes = new Map(read.map((draft, index) => [draft, index]))
  const byOrigin = new Map(
    read.flatMap((draft, index) => (draft.from?.origin === undefined ? [] : [[draft.from.origin, index] as const])),
  )
  const aligned = new Map<SpanNode, number>()
  const pending: SpanNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    append(pending, node.children)
    const index = byOrigin.get(node.span.spanId)
    if (index !== undefined) aligned.set(node, index)
  }
  if (!aligned.has(root)) aligned.set(root, 0)
  const parents = [root]
  for (let node = parents.pop(); node; node = parents.pop()) {
    const draft = read[aligned.get(node) ?? -1]
    const rest = draft?.children.filter(({ from }) => from?.origin === undefined) ?? []
    for (const child of node.children.toReversed()) {
      parents.push(child)
      if (rest.length === 0 || aligned.has(child)) continue
      const at = rest.findLastIndex(({ role }) => role === child.role)
      const [found] = at < 0 ? [] : rest.splice(at, 1)
      const index = found && indexes.get(found)
      if (index !== undefined) aligned.set(child, index)
    }
  }
  return aligned
}
