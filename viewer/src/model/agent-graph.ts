import { roleWord, mayChange, type Role, type State } from './words.js'
import { isFailed } from './row.js'
import type { Node, Tree } from './tree.js'

/** The totals of spans with the same role and name. */
interface Sums {
  /** The ids of the spans, in the order of their start. A call that a guardrail stopped does not count. */
  readonly spans: readonly string[]
  readonly failures: number
  /** The tokens of the spans and their descendants; nested spans count once. */
  readonly tokens: number
  /** The sum over the spans, milliseconds. */
  readonly duration: number
}

/** An agent, tool, model or other actor of a plan; or the rarest actors of a role together. */
export interface GraphNode extends Sums {
  readonly key: string
  readonly role: Role
  readonly name: string
  /** The number of actions that it judged unsafe and that were taken nevertheless. */
  readonly taken: number
  readonly stopped: number
  /** The state of the last of its running spans. */
  readonly state: State | null
}

/** The calls of one node by another. */
export interface GraphEdge extends Sums {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface AgentGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: ReadonlyMap<string, GraphEdge>
  /** The node of each span. */
  readonly places: ReadonlyMap<string, string>
}

/** The number of separate nodes per role, and the name of the node for the others. A cycle belongs to its agent. */
const SHOWN: Readonly<Partial<Record<Role, { readonly most: number; readonly others: string }>>> = {
  plan: { most: 12, others: 'plans' },
  planning: { most: 6, others: 'planners' },
  agent: { most: 16, others: 'agents' },
  llm: { most: 8, others: 'models' },
  guardrail: { most: 8, others: 'guardrails' },
  tool: { most: 20, others: 'tools' },
  wait: { most: 1, others: 'people' },
}

/** The key of a span's node: its role and name. All waits share one node. */
function ownKey({ row: { role, name } }: Node): string | undefined {
  if (role === null || !(role in SHOWN)) return undefined
  return `${role} ${role === 'wait' ? 'A person' : name}`
}

/** Builds the graph of a plan, in the order of first calls. */
export function agentGraphOf(tree: Tree): AgentGraph {
  const places = placesOf(tree)
  const nodes = new Map<string, Growing<GraphNode>>()
  const edges = new Map<string, Growing<GraphEdge>>()
  const inOrder = [...tree.nodes.values()].toSorted((a, b) => a.row.start - b.row.start || a.depth - b.depth)
  for (const node of inOrder) {
    const key = places.get(node.row.id)
    const { role, state } = node.row
    if (key === undefined || role === null || isNotMade(node)) continue
    const name = key.slice(role.length + 1)
    const found = nodes.get(key) ?? { key, role, name, ...nothing(), taken: 0, stopped: 0, state: null }
    nodes.set(key, found)
    const above = wayUp(node, places)
    add(found, node, above.includes(key))
    found.taken += node.row.judgement === 'taken' ? 1 : 0
    found.stopped += node.row.judgement === 'stopped' ? 1 : 0
    if (state !== null && mayChange(state)) found.state = state
    const [from] = above
    if (from === undefined) continue
    const edgeKey = edgeKeyOf(from, key)
    const edge = edges.get(edgeKey) ?? { key: edgeKey, from, to: key, ...nothing() }
    edges.set(edgeKey, edge)
    add(edge, node, false)
  }
  return { nodes, edges, places }
}

export const edgeKeyOf = (from: string, to: string): string => JSON.stringify([from, to])

/** Returns the node of a span: its own, or that of its actor. */
export function placeOf(node: Node, { places, nodes }: AgentGraph): GraphNode | undefined {
  const key = places.get(node.row.id) ?? wayUp(node, places)[0]
  return key === undefined ? undefined : nodes.get(key)
}

const isNotMade = ({ row: { role, judgement } }: Node): boolean => role === 'tool' && judgement === 'stopped'

type Growing<T> = { -readonly [Key in keyof T]: T[Key] extends readonly string[] ? string[] : T[Key] }

const nothing = (): Growing<Sums> => ({ spans: [], failures: 0, tokens: 0, duration: 0 })

function add(sums: Growing<Sums>, { row, tokens }: Node, isWithin: boolean): void {
  sums.spans.push(row.id)
  sums.failures += isFailed(row) ? 1 : 0
  sums.tokens += isWithin ? 0 : tokens
  sums.duration += row.duration
}

/** Returns the nodes above a span, the nearest first. */
function wayUp({ parent }: Node, places: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  for (let at = parent; at; at = at.parent) {
    const key = places.get(at.row.id)
    if (key !== undefined) way.push(key)
  }
  return way
}

/** The number of calls of a node, and its rank for being shown: the root first, then failed nodes. */
interface Weight {
  readonly calls: number
  readonly rank: number
}

/** Returns the node of each span; the rarest nodes of a role share one. */
function placesOf({ nodes }: Tree): Map<string, string> {
  const keys = new Map<string, string>()
  const found = new Map<Role, Map<string, Weight>>()
  for (const node of nodes.values()) {
    const key = ownKey(node)
    const { id, role } = node.row
    if (key === undefined || role === null) continue
    keys.set(id, key)
    const ofRole = found.get(role) ?? new Map<string, Weight>()
    found.set(role, ofRole)
    const { calls, rank } = ofRole.get(key) ?? { calls: 0, rank: 0 }
    ofRole.set(key, { calls: calls + 1, rank: Math.max(rank, node.parent ? Number(isFailed(node.row)) : 2) })
  }
  const shared = new Map<string, string>()
  for (const [role, ofRole] of found) {
    const { most = 1, others = roleWord(role) } = SHOWN[role] ?? {}
    if (ofRole.size <= most) continue
    const byWeight = [...ofRole].toSorted(([, a], [, b]) => b.rank - a.rank || b.calls - a.calls)
    const rare = byWeight.slice(most - 1)
    for (const [key] of rare) shared.set(key, `${role} ${rare.length} more ${others}`)
  }
  for (const [id, key] of keys) keys.set(id, shared.get(key) ?? key)
  return keys
}
