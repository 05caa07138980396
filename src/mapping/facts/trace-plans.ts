import { ATTR } from '../../semconv/index.js'
import { type FoldedSpan, nodesOf, NOTHING_AROUND, type SpanNode } from '../tree/index.js'

/** A plan of a trace with its spans. */
export interface TracePlan {
  readonly planId: string
  /** The id of the root plan, which may be the plan itself. */
  readonly rootPlanId: string
  /**
   * The plan span, or the agent span of an agent's record. If neither is stored yet, a pending node without attributes
   * above the topmost spans of the plan.
   */
  readonly head: SpanNode
  /** Whether the head is stored. */
  readonly isStored: boolean
  /** The spans of the plan itself, without those of its sub-plans. */
  readonly own: readonly SpanNode[]
}

/** The plans of a forest by id, each before its sub-plans, and all spans, in plans or not. */
export interface TracePlans {
  readonly plans: readonly TracePlan[]
  readonly nodes: readonly SpanNode[]
}

/** A plan whose spans are being collected. */
interface Members {
  readonly planId: string
  readonly heads: SpanNode[]
  readonly own: SpanNode[]
  /** The spans whose parent belongs to another plan, or to none. */
  readonly tops: SpanNode[]
  rootPlanId: string
}

/** Finds the plans of a forest: those with a plan span, and those that other spans name. */
export function plansOfForest(roots: readonly SpanNode[]): TracePlans {
  const groups = new Map<string, Members>()
  const groupOf = new Map<SpanNode, Members>()
  const nodes = nodesOf(roots)
  for (const node of nodes) {
    const { [ATTR.planId]: ownPlanId, [ATTR.planRootId]: root } = node.span.attributes
    const around = node.parent && groupOf.get(node.parent)
    const id = ownPlanId || around?.planId
    if (id === undefined) continue
    let members = around?.planId === id ? around : groups.get(id)
    if (!members) groups.set(id, (members = { planId: id, heads: [], own: [], tops: [], rootPlanId: '' }))
    groupOf.set(node, members)
    members.own.push(node)
    if (around !== members) members.tops.push(node)
    if (isHead(node)) members.heads.push(node)
    if (root !== undefined && root > members.rootPlanId) members.rootPlanId = root
  }
  return { plans: [...groups.values()].map(toPlan), nodes }
}

/** An agent is its own record only if no plan has its id. */
const isHead = ({ role, span }: SpanNode): boolean =>
  role === 'plan' || (role === 'agent' && span.attributes[ATTR.recordDialect] !== undefined)

function toPlan({ planId, heads, own, tops, rootPlanId }: Members): TracePlan {
  const plans = heads.filter(({ role }) => role === 'plan')
  const stored = latest(plans.length > 0 ? plans : heads)
  const head = stored ?? missingHead(planId, rootPlanId || planId, tops)
  return { planId, rootPlanId: rootPlanId || planId, head, isStored: stored !== undefined, own }
}

/** The latest run represents a plan that ran again. */
const latest = (heads: readonly SpanNode[]): SpanNode | undefined =>
  heads.reduce<SpanNode | undefined>((last, head) => (last && last.begun > head.begun ? last : head), undefined)

/** Creates a head for a plan span that is not stored. */
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
