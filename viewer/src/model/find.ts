import type { Row } from './row.js'
import { isRisky } from './sums.js'
import { isCause, type Node } from './tree.js'

/** What one may look for beside a text. */
export const KINDS = ['errors', 'risky', 'slow', 'costly'] as const
export type Kind = (typeof KINDS)[number]

/** Of the spans that take time or tokens, how many stand out at most. */
const SHARE = 0.05
/** Less stands out in no plan. */
const LEAST_MS = 1_000
const LEAST_TOKENS = 1_000

export const KIND_TITLES: Readonly<Record<Kind, string>> = {
  errors: 'Failures that no failure below them explains',
  risky: 'Judged unsafe, or with a high risk',
  slow: 'Of all that works, the twentieth that took longest by itself, and at least a second',
  costly: 'Of all model calls, the twentieth with the most tokens, and at least 1,000',
}

/** What of each kind is among nodes, in their order. */
export function nodesOfKinds(nodes: readonly Node[]): Readonly<Record<Kind, readonly Node[]>> {
  return {
    errors: nodes.filter(isCause),
    risky: nodes.filter(isRisky),
    slow: standingOut(nodes.filter(isWork), ownTime, LEAST_MS),
    costly: standingOut(
      nodes.filter(({ row }) => row.tokens !== null),
      ({ row }) => row.tokens ?? 0,
      LEAST_TOKENS,
    ),
  }
}

/** Plans and agents last as long as what is below them, and waits as long as people take. */
const isWork = ({ row: { role } }: Node): boolean => role !== 'plan' && role !== 'agent' && role !== 'wait'

function standingOut(nodes: readonly Node[], sizeOf: (node: Node) => number, least: number): readonly Node[] {
  const sizes = new Map(nodes.map((node) => [node, sizeOf(node)]))
  const largest = [...sizes.values()].toSorted((a, b) => b - a)
  const bound = Math.max(least, largest[Math.ceil(nodes.length * SHARE) - 1] ?? 0)
  return nodes.filter((node) => (sizes.get(node) ?? 0) >= bound)
}

/** How long a span took beside what is below it, milliseconds. */
export function ownTime({ row, children }: Node): number {
  const end = row.start + row.duration
  let own = 0
  let reached = row.start
  // They are in the order of their start.
  for (const { row: child } of children) {
    own += Math.max(0, Math.min(child.start, end) - reached)
    reached = Math.max(reached, Math.min(end, child.start + child.duration))
  }
  return own + Math.max(0, end - reached)
}

/** Whether what a row shows has a text, in upper or lower case. */
export const shows = ({ name, label }: Row, text: string): boolean =>
  name.toLowerCase().includes(text) || label.toLowerCase().includes(text)

/** Of each node how many of some nodes are below it. */
export function countsBelow(nodes: Iterable<Node>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    for (let at = node.parent; at; at = at.parent) counts.set(at.row.id, (counts.get(at.row.id) ?? 0) + 1)
  }
  return counts
}

/** The parts of a text that are another one and that are not, by turns; the first is not. */
export function partsAround(text: string, sought: string): string[] {
  if (sought === '') return [text]
  const lowerCase = text.toLowerCase()
  // A character may be longer in lower case: then places differ.
  if (lowerCase.length !== text.length) return [text]
  const parts: string[] = []
  let from = 0
  for (let at = lowerCase.indexOf(sought); at >= 0; at = lowerCase.indexOf(sought, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + sought.length))
    from = at + sought.length
  }
  return [...parts, text.slice(from)]
}
