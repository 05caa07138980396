import { ATTR } from '../../semconv/index.js'
import { saysCancelled } from './outcome/cancel-signs.js'
import { errorOf, isFailed } from './outcome/span-failure.js'
import { kindRuleOf } from './kind-of.js'
import { derivedNode, extendOver } from './derived-node.js'
import { isResumed, joinRuns } from './mastra.js'
import { isServed } from './calls/mcp.js'
import { agentNameOf, planTitleOf } from './values/node-facts.js'
import { above, type AdoptNode, hasRole, move, nearestBelow, walk } from './adopt-node.js'

/**
 * Returns the plan around everything in a trace that is outside of planspan's own plans: the only outermost plan,
 * otherwise a derived one. Undefined if no model was called and all tool calls were retrievals or served.
 */
export function placeRootPlan(roots: readonly AdoptNode[]): AdoptNode | undefined {
  const tops = roots
    .flatMap((root) => (hasRole(root) ? [root] : nearestBelow(root)))
    .filter(({ own, span }) => own === undefined && !(ATTR.planId in span.attributes))
  if (!tops.some((top) => [...walk(top)].some((node) => node.kind === 'agent' || isCall(node)))) {
    for (const top of tops) for (const node of walk(top)) if (node.own === undefined) node.kind = 'none'
    return undefined
  }
  const [only, ...others] = tops.filter(({ kind }) => kind === 'plan')
  const isExplicit = only !== undefined && others.length === 0
  const plan = isExplicit ? only : derivedNode('plan', (tops[0] as AdoptNode).span)
  const members = isExplicit ? tops : tops.flatMap(openPlan)
  for (const member of members) if (member !== plan) move(member, plan)
  deriveAgent(plan, isExplicit ? planTitleOf(plan) : rootName(roots))
  if (!isExplicit) {
    extendOver(plan, members)
    // Exporters send children first: the root is not stored yet.
    if (isRootless(roots)) {
      if (!hasCoveringSpan(roots)) waitForRoot(plan)
      plan.attributes[ATTR.adoptedGap] = 'the root of the trace'
    }
    plan.attributes[ATTR.planTitle] = titleOf(plan, roots)
    const [root] = roots
    if (root && !hasRole(root)) endAs(plan, root)
  }
  plan.attributes[ATTR.planId] = plan.span.traceId
  return plan
}

/** A plan that was not sent ends as the root of the trace, such as a web request, did. */
function endAs(plan: AdoptNode, root: AdoptNode): void {
  if (saysCancelled(root)) plan.attributes[ATTR.state] = 'cancelled'
  if (!isFailed(root)) return
  const { type, message = '' } = errorOf(root) ?? {}
  plan.span = { ...plan.span, statusCode: 'ERROR', statusMessage: message }
  if (type !== undefined) plan.attributes[ATTR.errorType] = type
}

/** A plan beside others is dissolved: its parts move to the top. */
function openPlan(top: AdoptNode): AdoptNode[] {
  if (top.kind !== 'plan') return [top]
  top.kind = 'group'
  return nearestBelow(top)
}

/** A server of tools that records its calls alone is no agent. */
const isCall = ({ own, kind, span }: AdoptNode): boolean =>
  own === undefined &&
  (kind === 'llm' || (kind === 'tool' && kindRuleOf(span)?.kind !== 'retrieval' && !isServed(span)))

/** Whether the root was not sent: the first span has a missing parent, and several spans with work begin the trace. */
function isRootless(roots: readonly AdoptNode[]): boolean {
  if (roots.some(({ own, isOrphan }) => own === undefined && !isOrphan)) return false
  const [first, ...others] = roots.filter(hasWork)
  return others.length > 0 || (first !== undefined && INNER.has(first.kind))
}

const hasWork = (root: AdoptNode): boolean => root.own === undefined && (hasRole(root) || nearestBelow(root).length > 0)

/** Whether the first span contains work and lasted as long as all spans beside it: then the work has ended. */
function hasCoveringSpan(roots: readonly AdoptNode[]): boolean {
  const [first, ...others] = roots.filter(({ own }) => own === undefined)
  if (!first || INNER.has(first.kind) || others.length === 0) return false
  const end = first.span.endTimeUnixNano + CLOCK_ERROR
  return others.every(({ span }) => span.endTimeUnixNano <= end)
}

/** Spans of JavaScript start at whole milliseconds. */
const CLOCK_ERROR = 2_000_000n

/** A plan whose root was not sent is open, and so is the agent that stands for the root. */
function waitForRoot(plan: AdoptNode): void {
  plan.pending = true
  for (const agent of nearestBelow(plan)) if (agent.kind === 'agent' && agent.rows.length === 0) agent.pending = true
}

const INNER: ReadonlySet<string> = new Set(['think_act', 'llm', 'tool', 'guardrail'])

/** Derives one agent for all calls outside of agents, named after the root span, otherwise after the service. */
function deriveAgent(plan: AdoptNode, name: string | undefined): void {
  const members = nearestBelow(plan).filter(({ own, kind }) => own === undefined && DONE_BY_AGENTS.has(kind))
  const [first] = members
  if (!first) return
  const hasAgents = nearestBelow(plan, ['planning']).some(({ kind }) => kind === 'agent')
  // Beside agents, tool calls and guardrails without a model belong to the plan.
  if (hasAgents && (plan.own !== undefined || !members.some(({ kind }) => kind === 'llm'))) return
  const agent = derivedNode('agent', first.span)
  extendOver(agent, members)
  agent.attributes[ATTR.agentName] = name ?? first.span.serviceName
  for (const member of members) move(member, agent)
  move(agent, plan)
}

const DONE_BY_AGENTS: ReadonlySet<string> = new Set(['think_act', 'llm', 'tool', 'guardrail'])

/** Derives an agent for foreign calls in one of planspan's own plans that has no agent. */
export function placeOwnAgents(nodes: readonly AdoptNode[]): void {
  for (const node of nodes) if (node.own === 'plan') deriveAgent(node, node.span.attributes[ATTR.agentName])
}

/** The name of the root span, unless it is one of the calls. */
const rootName = ([root]: readonly AdoptNode[]): string | undefined =>
  root === undefined || hasRole(root) ? undefined : root.span.name

function titleOf(plan: AdoptNode, roots: readonly AdoptNode[]): string {
  const agents = nearestBelow(plan, ['planning']).filter(({ kind }) => kind === 'agent')
  const names = new Set(agents.map((agent) => agent.attributes[ATTR.agentName] ?? agentNameOf(agent)))
  const [name] = names.size === 1 ? names : []
  return name ?? roots[0]?.span.name ?? plan.span.serviceName
}

/** Turns agents that work for a call or cycle of another agent, and plans there, into sub-plans. */
export function placeSubPlans(nodes: readonly AdoptNode[]): void {
  const made = new Map<AdoptNode, AdoptNode>()
  for (const node of nodes) {
    const place = node.own === undefined ? above(node) : undefined
    if (!place || place.kind === 'plan' || place.kind === 'planning') continue
    if (node.kind === 'plan') node.attributes[ATTR.planId] = partId(node)
    if (node.kind !== 'agent') continue
    // The agents of a tool call form one plan. Beside an agent's own work, each forms its own.
    const key = place.kind === 'tool' ? place : node
    let plan = made.get(key)
    if (!plan) {
      plan = derivedNode('plan', node.span)
      made.set(key, plan)
      plan.attributes[ATTR.planId] = partId(node)
      plan.attributes[ATTR.planTitle] = node.attributes[ATTR.agentName] ?? agentNameOf(node) ?? node.span.name
      move(plan, place)
    }
    extendOver(plan, [node])
    move(node, plan)
  }
}

const partId = ({ span }: AdoptNode): string => `${span.traceId}-${span.spanId}`

/** Joins the segments of each suspended plan. */
export function joinAllRuns(nodes: readonly AdoptNode[]): void {
  for (const node of nodes) {
    if (node.own !== undefined || node.kind !== 'plan' || isResumed(node)) continue
    for (const run of joinRuns(node)) run.attributes[ATTR.planId] = node.attributes[ATTR.planId] ?? partId(node)
  }
}
