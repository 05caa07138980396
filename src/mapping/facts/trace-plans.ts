import { ATTR } from '../../semconv/index.js'
import { isPlanHead, nodesOf, type SpanNode } from '../tree/index.js'

/** A plan of a trace with its spans. */
export interface TracePlan {
  readonly planId: string
  /** The id of the root plan, which may be the plan itself. */
  readonly rootPlanId: string
  /** The plan span, or the agent span of an agent's record. */
  readonly head: SpanNode
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
    if (!members) groups.set(id, (members = { planId: id, heads: [], own: [], rootPlanId: '' }))
    groupOf.set(node, members)
    members.own.push(node)
    if (isPlanHead(node.span)) members.heads.push(node)
    if (root !== undefined && root > members.rootPlanId) members.rootPlanId = root
  }
  return { plans: [...groups.values()].flatMap(toPlan), nodes }
}

/** An agent is its own record only if no plan has its id. */
function toPlan({ planId, heads, own, rootPlanId }: Members): TracePlan[] {
  const plans = heads.filter(({ role }) => role === 'plan')
  const head = latest(plans.length > 0 ? plans : heads)
  return head ? [{ planId, rootPlanId: rootPlanId || planId, head, own }] : []
}

/** The latest run represents a plan that ran again. */
const latest = (heads: readonly SpanNode[]): SpanNode | undefined =>
  heads.reduce<SpanNode | undefined>((last, head) => (last && last.begun > head.begun ? last : head), undefined)
