import type { Row } from './row.js'
import { isRisky } from './sums.js'
import { isCause, type Node } from './tree.js'

/** The kinds that can be searched for, besides text. */
export const KINDS = ['errors', 'risky', 'slow', 'costly'] as const
/** The kinds that only links of the head search for. */
const LINKED_KINDS = ['failed', 'interrupted', 'stopped', 'taken', 'models'] as const
export const ALL_KINDS = [...KINDS, ...LINKED_KINDS] as const
export type Kind = (typeof ALL_KINDS)[number]

/** The largest share of the spans with time or tokens that stands out. */
const SHARE = 0.05
/** The least time or tokens that stand out. */
const LEAST_MS = 1_000
const LEAST_TOKENS = 1_000

export const KIND_TITLES: Readonly<Record<(typeof KINDS)[number], string>> = {
  errors: 'Original failures, and work that was cut off',
  risky: 'Judged unsafe, or with a high risk',
  slow: 'Of all that works, the twentieth that took longest by itself, and at least a second',
  costly: 'Of all model calls, the twentieth with the most tokens, and at least 1,000',
}

/** Returns the nodes of each kind, in their order. */
export function nodesOfKinds(nodes: readonly Node[]): Readonly<Record<Kind, readonly Node[]>> {
  return {
    errors: nodes.filter(isCause),
    risky: nodes.filter(isRisky),
    failed: nodes.filter(({ row }) => row.failure !== null),
    interrupted: nodes.filter((node) => node.row.failure === null && isCause(node)),
    stopped: nodes.filter(({ row }) => row.role === 'guardrail' && row.judgement === 'stopped'),
    taken: nodes.filter(({ row }) => row.judgement === 'taken'),
    models: nodes.filter(({ row }) => row.role === 'llm'),
    slow: standingOut(nodes.filter(isWork), ownTime, LEAST_MS),
    costly: standingOut(
      nodes.filter(({ row }) => row.tokens !== null),
      ({ row }) => row.tokens ?? 0,
      LEAST_TOKENS,
    ),
  }
}

/** Plans and agents last as long as their children, and waits as long as people take. */
const isWork = ({ row: { role } }: Node): boolean => role !== 'plan' && role !== 'agent' && role !== 'wait'

function standingOut(nodes: readonly Node[], sizeOf: (node: Node) => number, least: number): readonly Node[] {
  const sizes = new Map(nodes.map((node) => [node, sizeOf(node)]))
  const largest = [...sizes.values()].toSorted((a, b) => b - a)
  const bound = Math.max(least, largest[Math.ceil(nodes.length * SHARE) - 1] ?? 0)
  return nodes.filter((node) => (sizes.get(node) ?? 0) >= bound)
}

/** The time of a span outside its children, milliseconds. */
export function ownTime({ row, children }: Node): number {
  const end = row.start + row.duration
  let own = 0
  let reached = row.start
  // The children are in order of their start.
  for (const { row: child } of children) {
    own += Math.max(0, Math.min(child.start, end) - reached)
    reached = Math.max(reached, Math.min(end, child.start + child.duration))
  }
  return own + Math.max(0, end - reached)
}

/** Whether the row's text contains a text, in any case. */
export const shows = ({ name, label }: Row, text: string): boolean =>
  name.toLowerCase().includes(text) || label.toLowerCase().includes(text)

/** Returns the number of given nodes below each node. */
export function countsBelow(nodes: Iterable<Node>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    for (let at = node.parent; at; at = at.parent) counts.set(at.row.id, (counts.get(at.row.id) ?? 0) + 1)
  }
  return counts
}

/** Splits a text into parts that do not and do match, alternating; the first does not match. */
export function partsAround(text: string, sought: string): string[] {
  if (sought === '') return [text]
  const lowerCase = text.toLowerCase()
  // Lower case may be longer than the original; then offsets differ.
  if (lowerCase.length !== text.length) return [text]
  const parts: string[] = []
  let from = 0
  for (let at = lowerCase.indexOf(sought); at >= 0; at = lowerCase.indexOf(sought, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + sought.length))
    from = at + sought.length
  }
  return [...parts, text.slice(from)]
}
