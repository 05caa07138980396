import { append } from '../../base/append.js'
import type { Role, StoredSpan } from '../../semconv/index.js'
import { byStart as byStartAndId } from '../tree/index.js'
import type { Guess } from './guess/guess.js'
import type { Convention, Kind } from './kind.js'

/** A span whose place in the tree is being determined. Planspan's own spans are nodes, too, and keep their role. */
export interface AdoptNode {
  /**
   * The final row, otherwise the latest snapshot, with the real span's id and parent. A derived span has the values
   * that it will be written with.
   */
  span: StoredSpan
  /** The stored rows of the span. Empty for a derived span. */
  readonly rows: readonly StoredSpan[]
  /** The role of one of planspan's own spans. */
  readonly own: Role | undefined
  kind: Kind
  convention: Convention | undefined
  /** How a span that no rule knows was read. */
  guess: Guess | undefined
  /** Only snapshots of the span are stored. */
  pending: boolean
  /** The parent is not stored. */
  isOrphan: boolean
  /** The span was moved below its plan or the root of the trace, because its parent is not stored. */
  isReattached: boolean
  parent: AdoptNode | undefined
  readonly children: Set<AdoptNode>
  /** Spans that represent the same thing. Values that the node lacks are read from them. */
  twins: AdoptNode[]
  /** The attributes that follow from the node's place. */
  attributes: Record<string, string>
}

/** Creates a node without rows and without a place. */
export const newNode = (span: StoredSpan, kind: Kind): AdoptNode => ({
  span,
  rows: [],
  own: undefined,
  kind,
  convention: undefined,
  guess: undefined,
  pending: false,
  isOrphan: false,
  isReattached: false,
  parent: undefined,
  children: new Set(),
  twins: [],
  attributes: {},
})

export const ROLES_OF_KINDS = {
  plan: true,
  planning: true,
  wait: true,
  agent: true,
  think_act: true,
  llm: true,
  guardrail: true,
  tool: true,
} as const satisfies Record<Role, true>

/** Whether a node has a role. The tree passes through nodes without a role. */
export const hasRole = ({ kind }: AdoptNode): boolean => kind in ROLES_OF_KINDS

/** The nearest node above that has a role. */
export function above(node: AdoptNode): AdoptNode | undefined {
  let at = node.parent
  while (at && !hasRole(at)) at = at.parent
  return at
}

/** Yields a node and everything below it, parents first, siblings in order. */
export function* walk(node: AdoptNode): Generator<AdoptNode> {
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    for (const child of [...next.children].reverse()) pending.push(child)
  }
}

/**
 * Returns the nearest nodes with a role below a node, in order. The search also passes through the kinds in `through`.
 */
export function nearestBelow(node: AdoptNode, through: readonly Kind[] = []): AdoptNode[] {
  const found: AdoptNode[] = []
  const pending = [...node.children].reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (hasRole(next) && !through.includes(next.kind)) found.push(next)
    else for (const child of [...next.children].reverse()) pending.push(child)
  }
  return found
}

/** Moves a node, with everything below it, to another parent. */
export function move(node: AdoptNode, parent: AdoptNode): void {
  if (node.parent === parent) return
  node.parent?.children.delete(node)
  node.parent = parent
  parent.children.add(node)
}

/** Makes one node represent two. The nodes below the twin stay where they are. */
export function absorb(node: AdoptNode, twin: AdoptNode): void {
  twin.kind = 'none'
  append(node.twins, [twin, ...twin.twins])
}

export const byStart = (a: AdoptNode, b: AdoptNode): number => byStartAndId(a.span, b.span)
