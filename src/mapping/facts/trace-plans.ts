import { ATTR } from '../../semconv/index.js'
import type { FoldedSpan } from '../fold.js'
import { NOTHING_AROUND, type SpanNode, walk } from '../tree.js'

/** A plan of a trace with the spans that belong to it. */
export interface TracePlan {
  readonly planId: string
  /** The outermost plan; the plan itself if it is the outermost. */
  readonly rootPlanId: string
  /**
   * The plan span; the agent span of an agent's record. While neither is stored, a pending node without attributes that
   * stands above the topmost spans of the plan.
   */
  readonly head: SpanNode
  /** Whether the head is stored. */
  readonly isStored: boolean
  /** The spans of the plan itself, without those of its sub-plans. */
  readonly own: readonly SpanNode[]
}

/** The plans of a forest by their ids, an outer plan before those in it, and all spans in or outside of plans. */
export interface TracePlans {
  readonly plans: readonly TracePlan[]
  /** The plan of each span that belongs to one. */
  readonly planOf: ReadonlyMap<SpanNode, TracePlan>
  readonly nodes: readonly SpanNode[]
}

interface Members {
  heads: SpanNode[]
  readonly own: SpanNode[]
  /** Those of them whose parent belongs to another plan, or to none. */
  readonly tops: SpanNode[]
  rootPlanId: string
}

/** Finds the plans of a forest: those with a span of their own, and those that other spans name. */
export function plansOfForest(roots: readonly SpanNode[]): TracePlans {
  const groups = new Map<string, Members>()
  const ids = new Map<SpanNode, string>()
  const nodes = roots.flatMap((root) => [...walk(root)])
  for (const node of nodes) {
    const { [ATTR.planId]: told, [ATTR.planRootId]: root } = node.span.attributes
    const around = node.parent && ids.get(node.parent)
    const id = told || around
    if (id === undefined) continue
    ids.set(node, id)
    let members = groups.get(id)
    if (!members) groups.set(id, (members = { heads: [], own: [], tops: [], rootPlanId: '' }))
    members.own.push(node)
    if (around !== id) members.tops.push(node)
    if (isHead(node)) members.heads.push(node)
    if (root !== undefined && root > members.rootPlanId) members.rootPlanId = root
  }
  const plans = new Map([...groups].map(([planId, members]) => [planId, toPlan(planId, members)]))
  const planOf = new Map<SpanNode, TracePlan>()
  for (const [node, id] of ids) {
    const plan = plans.get(id)
    if (plan) planOf.set(node, plan)
  }
  return { plans: [...plans.values()], planOf, nodes }
}

/** An agent is a record of its own only where no plan has its id. */
const isHead = ({ role, span }: SpanNode): boolean =>
  role === 'plan' || (role === 'agent' && span.attributes[ATTR.recordDialect] !== undefined)

function toPlan(planId: string, { heads, own, tops, rootPlanId }: Members): TracePlan {
  const plans = heads.filter(({ role }) => role === 'plan')
  const stored = latest(plans.length > 0 ? plans : heads)
  const head = stored ?? missingHead(planId, rootPlanId || planId, tops)
  return { planId, rootPlanId: rootPlanId || planId, head, isStored: stored !== undefined, own }
}

/** A plan that ran again stands for its latest run. */
const latest = (heads: readonly SpanNode[]): SpanNode | undefined =>
  heads.reduce<SpanNode | undefined>((last, head) => (last && last.begun > head.begun ? last : head), undefined)

/** Stands for a plan span that is not stored. */
function missingHead(planId: string, rootPlanId: string, tops: readonly SpanNode[]): SpanNode {
  const first = tops.reduce(
    (a, b) => (a.span.startTimeUnixNano <= b.span.startTimeUnixNano ? a : b),
    tops[0] as SpanNode,
  )
  const span: FoldedSpan = {
    ...first.span,
    spanId: '',
    parentSpanId: '',
    name: '',
    endTimeUnixNano: first.span.startTimeUnixNano,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: { [ATTR.spanKind]: 'plan', [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId },
    events: [],
    links: [],
    pending: true,
  }
  return {
    span,
    role: 'plan',
    children: [...tops],
    parent: undefined,
    orphan: false,
    segment: 0,
    begun: span.startTimeUnixNano,
    around: NOTHING_AROUND,
    gaps: [],
  }
}
