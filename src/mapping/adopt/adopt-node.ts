import { append } from '../../append.js'
import type { Role, StoredSpan } from '../../semconv/index.js'
import type { Convention, Kind } from './kind.js'

/** A span of a trace while its place is looked for; planspan's own spans stand among them and stay what they are. */
export interface AdoptNode {
  /** Its final row, else its latest snapshot, with its own id and parent; of one that is made up, as it will be. */
  span: StoredSpan
  /** The stored rows of it; none where it is made up. */
  readonly rows: readonly StoredSpan[]
  /** The role of one of planspan's own spans. */
  readonly own: Role | undefined
  kind: Kind
  readonly convention: Convention | undefined
  /** Snapshots of it alone are stored. */
  pending: boolean
  /** Its parent is not stored. */
  isOrphan: boolean
  /** It hangs below its plan or the root of the trace instead. */
  isTakenIn: boolean
  parent: AdoptNode | undefined
  readonly children: Set<AdoptNode>
  /** What stands for the same thing: it lacks nothing that one of these tells. */
  twins: AdoptNode[]
  /** The attributes that its place gives it. */
  attributes: Record<string, string>
}

/** A node that stands nowhere yet and was not stored. */
export const newNode = (span: StoredSpan, kind: Kind): AdoptNode => ({
  span,
  rows: [],
  own: undefined,
  kind,
  convention: undefined,
  pending: false,
  isOrphan: false,
  isTakenIn: false,
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

/** Whether a node stands for something by itself; what does not is looked through. */
export const hasRole = ({ kind }: AdoptNode): boolean => kind in ROLES_OF_KINDS

/** The nearest node above that has a role. */
export function above(node: AdoptNode): AdoptNode | undefined {
  let at = node.parent
  while (at && !hasRole(at)) at = at.parent
  return at
}

/** A node and all below it, parents first, siblings in order. */
export function* walk(node: AdoptNode): Generator<AdoptNode> {
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    for (const child of [...next.children].reverse()) pending.push(child)
  }
}

/** The nearest nodes below one that have a role, in order; `through` are roles that are looked through, too. */
export function nearestBelow(node: AdoptNode, through: readonly Kind[] = []): AdoptNode[] {
  const found: AdoptNode[] = []
  const pending = [...node.children].reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (hasRole(next) && !through.includes(next.kind)) found.push(next)
    else for (const child of [...next.children].reverse()) pending.push(child)
  }
  return found
}

/** Hangs a node, with all below it, below another one. */
export function move(node: AdoptNode, parent: AdoptNode): void {
  if (node.parent === parent) return
  node.parent?.children.delete(node)
  node.parent = parent
  parent.children.add(node)
}

/** One node stands for two: what is below the second stays where it is. */
export function absorb(node: AdoptNode, twin: AdoptNode): void {
  twin.kind = 'none'
  append(node.twins, [twin, ...twin.twins])
}

export function byStart(a: AdoptNode, b: AdoptNode): number {
  if (a.span.startTimeUnixNano !== b.span.startTimeUnixNano)
    return a.span.startTimeUnixNano < b.span.startTimeUnixNano ? -1 : 1
  return a.span.spanId < b.span.spanId ? -1 : a.span.spanId > b.span.spanId ? 1 : 0
}
