import { append } from '../../../base/append.js'
import type { FieldValue, Role } from '../../../semconv/index.js'
import { isNotTaken } from '../../faults/index.js'
import { jsonFromValue, type JsonNode, type JsonValue } from '../../json/index.js'
import { ancestors, childrenInOrder, recordOriginOf, type SpanNode } from '../../tree/index.js'
import type { SpanDraft } from '../span-draft.js'
import { RECORD_IDS } from './carried-values.js'
import { alignReading, flatten } from './align-reading.js'
import { entryOf, factsOf, guardsOf, type Facts, inheritedFrom, type Inherited, type SpanEntry } from './span-entry.js'

/** A span in the list, with the index of its parent. */
interface Listed {
  readonly node: SpanNode
  readonly role: Role
  readonly above: number | undefined
  readonly inherited: Inherited
  readonly depth: number
}

/** The nesting of spans up to which a carrier is written and read. */
export const MAX_DEPTH = 1_000

/**
 * Writes the spans at and below a node, except what the dialect reads from the keys of its own record. Undefined for
 * spans that are nested too deep for any reader.
 */
export function writeCarrier(root: SpanNode, reading: () => SpanDraft): JsonNode | undefined {
  const list = listSpans(root)
  if (list.some(({ depth }) => depth > MAX_DEPTH)) return undefined
  const read = flatten(reading())
  const aligned = alignReading(root, read)
  const places = new Map(list.map(({ node }, index) => [node.span.spanId, index]))
  const entries = list.map(({ node, inherited }) => entryOf(node, node === root, inherited))
  const stated = list.map(({ node }) => {
    const of = aligned.get(node)
    return of === undefined ? undefined : factsOf(read[of] as SpanDraft)
  })
  const said = saidNames(list, entries, stated)
  const spans = list.map(({ node, role, above }, index): JsonValue => {
    const { facts, rest } = entries[index] as SpanEntry
    const guards = guardsOf(node).flatMap((spanId) => places.get(spanId) ?? [])
    return {
      role,
      in: above,
      of: aligned.get(node),
      ...differing(facts, stated[index] ?? {}, said.get(role) ?? new Set()),
      ...rest,
      guardedBy: guards.length > 0 ? guards : undefined,
    }
  })
  const lists = Object.fromEntries([...said].map(([role, names]) => [role, [...names].sort()]))
  const origin = [root, ...ancestors(root)].map(({ span }) => recordOriginOf(span)).find((one) => one !== undefined)
  return jsonFromValue({ origin, said: lists, spans })
}

/** Lists the spans, parents first, and siblings by role and position. Calls that guardrails stopped are no spans. */
function listSpans(root: SpanNode): Listed[] {
  const list: Listed[] = []
  const pending: Omit<Listed, 'role'>[] = [{ node: root, above: undefined, inherited: {}, depth: 1 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next
    if (node.role === undefined) continue
    const above = list.push({ ...next, role: node.role }) - 1
    const inherited = inheritedFrom(node, next.inherited)
    append(
      pending,
      childrenInOrder(node)
        .filter((child) => !isNotTaken(child))
        .reverse()
        .map((child) => ({ node: child, above, inherited, depth: depth + 1 })),
    )
  }
  return list
}

/** Returns the names of the facts of each role that the record itself states for at least one span. */
function saidNames(
  list: readonly Listed[],
  entries: readonly SpanEntry[],
  stated: readonly (Facts | undefined)[],
): ReadonlyMap<Role, ReadonlySet<string>> {
  const said = new Map<Role, Set<string>>()
  for (const [index, { role }] of list.entries()) {
    const read = stated[index]
    if (!read) continue
    const names = said.get(role) ?? new Set<string>()
    for (const [name, value] of Object.entries(entries[index]?.facts ?? {})) {
      if (!RECORD_IDS.includes(name) && isSame(value, read[name])) names.add(name)
    }
    if (names.size > 0) said.set(role, names)
  }
  return said
}

/** Returns the facts that the record does not state itself. Null denies a fact that it states. */
function differing(facts: Facts, read: Facts, said: ReadonlySet<string>): Record<string, JsonValue> {
  const own = Object.entries(facts).filter(
    ([name, value]) => !((said.has(name) || RECORD_IDS.includes(name)) && isSame(value, read[name])),
  )
  const denied = [...said].filter((name) => read[name] !== undefined && facts[name] === undefined)
  return Object.fromEntries([
    ...own.map(([name, value]) => [name, typeof value === 'object' ? [...value] : value] as const),
    ...denied.sort().map((name) => [name, null] as const),
  ])
}

const isSame = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  Object.is(a, b) || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
