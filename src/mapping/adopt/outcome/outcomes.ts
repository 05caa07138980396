import { ATTR, type State } from '../../../semconv/index.js'
import { above, type AdoptNode, hasRole, nearestBelow, walk } from '../adopt-node.js'
import { hasAnswer, hasNoResponse, isIdle, reachedLimit } from './own-answers.js'
import { saysCancelled } from './cancel-signs.js'
import { findingOf } from '../guardrail-finding.js'
import { AS_DECIDED, OUTCOME_RULES, type OutcomeFact, type OutcomeRule } from './outcome-rules.js'
import { hasRaised, isFailed, saysFailed } from './span-failure.js'

/** How a span ended. */
export interface Outcome {
  readonly state: State
  readonly rule: OutcomeRule
  /** The span that decided: the span itself, or work below it. */
  readonly by: AdoptNode
}

/** Work that ended badly. The first kind counts if several are left. */
const LEFT = ['leavesStop', 'leavesFailure', 'leavesWait', 'leavesCancel', 'leavesSilence'] as const

/** Work that ended badly, and after which nothing has succeeded yet. */
interface Left {
  readonly fact: (typeof LEFT)[number]
  readonly by: AdoptNode
  /** Work that begins then or later is not affected, Unix nanoseconds. */
  readonly until: bigint
}

type LeftBy = ReadonlyMap<AdoptNode, Left>

/**
 * Decides how each ended span of another instrumentation ended, from the calls up to the plans, and sets the states
 * that do not follow from the spans' own status.
 */
export function settleOutcomes(tops: readonly AdoptNode[]): ReadonlyMap<AdoptNode, Outcome> {
  const outcomes = new Map<AdoptNode, Outcome>()
  const left = new Map<AdoptNode, Left>()
  for (const node of tops.flatMap((top) => [...walk(top)]).reverse()) {
    if (!hasRole(node)) continue
    const children = nearestBelow(node)
    const below = leftBelow(children, left)
    if (node.pending && below && brokeOff(node, below)) node.pending = false
    const outcome = node.own === undefined && !node.pending ? outcomeOf(node, below) : undefined
    const rest = outcome ? leftOf(node, outcome, below) : node.own === undefined ? below : leftByOwn(node)
    if (rest) left.set(node, rest)
    if (!outcome) continue
    outcomes.set(node, outcome)
    if (node.kind === 'agent' && !below) markUnseen(node, outcome.rule.when)
    if (outcome.rule.when === 'leavesSilence') {
      for (let at = outcome.by; at !== node; at = above(at) ?? node) outcomes.set(at, outcome)
    }
  }
  for (const [node, { state }] of outcomes) {
    if (state !== 'completed' && !(state === 'failed' && isFailed(node))) node.attributes[ATTR.state] = state
  }
  return outcomes
}

/**
 * Whether a plan or an agent that stands for a root which was not sent has ended: an error left one of its cycles or
 * agents, or its last call was abandoned, and nothing followed. Some instrumentations never end the root span of a run
 * that raised.
 */
const brokeOff = ({ own, rows }: AdoptNode, { fact, by }: Left): boolean =>
  own === undefined && rows.length === 0 && (fact === 'leavesFailure' ? BREAKS_OFF.has(by.kind) : ABANDONED.has(fact))

const ABANDONED: ReadonlySet<string> = new Set(['leavesSilence', 'leavesCancel'])
const BREAKS_OFF: ReadonlySet<string> = new Set(['plan', 'agent', 'think_act'])

/** Returns what the children leave that no other child survived. */
function leftBelow(children: readonly AdoptNode[], left: LeftBy): Left | undefined {
  const good = children.filter((child) => WORK.has(child.kind) && !left.has(child))
  const lastBegin = latest(good.map(({ span }) => span.startTimeUnixNano))
  // A model call may contain the tool calls that it requested.
  const lastAnswer = latest(good.filter(({ kind }) => kind === 'llm').map(({ span }) => span.endTimeUnixNano))
  return children
    .flatMap((child) => left.get(child) ?? [])
    .filter(({ fact, until }) => lastBegin < until && (fact === 'leavesStop' || lastAnswer <= until))
    .reduce<Left | undefined>((first, one) => (first && weightOf(first) <= weightOf(one) ? first : one), undefined)
}

const WORK: ReadonlySet<string> = new Set(['plan', 'planning', 'agent', 'think_act', 'llm', 'tool'])

const latest = (times: readonly bigint[]): bigint => times.reduce((last, time) => (time > last ? time : last), -1n)

const weightOf = ({ fact }: Left): number => LEFT.indexOf(fact)

function outcomeOf(node: AdoptNode, below: Left | undefined): Outcome {
  const rule = OUTCOME_RULES.find(({ when }) => when === undefined || FACTS[when](node, below)) as OutcomeRule
  const state = rule.state === AS_DECIDED ? (node.attributes[ATTR.state] as State) : rule.state
  return { state, rule, by: below?.fact === rule.when && below ? below.by : node }
}

const leaves =
  (fact: Left['fact']) =>
  (node: AdoptNode, below: Left | undefined): boolean =>
    below?.fact === fact && (node.kind !== 'think_act' || DECIDES_CYCLE.has(below.by.kind))

/** A cycle ends as its model calls and agents do. The agent may go on after a failed tool call. */
const DECIDES_CYCLE: ReadonlySet<string> = new Set(['llm', 'agent', 'plan'])

const FACTS: Readonly<Record<OutcomeFact, (node: AdoptNode, below: Left | undefined) => boolean>> = {
  isDecided: ({ attributes }) => ATTR.state in attributes,
  saysCancelled,
  saysFailed: (node) => saysFailed(node) || (node.twins.some(isFailed) && hasNoResponse(node)),
  leavesStop: leaves('leavesStop'),
  reachedLimit,
  letThrough: (node, below) => below?.fact === 'leavesFailure' && hasRaised(node),
  // A framework may answer in place of a model whose call was cancelled.
  hasAnswer: (node, below) => hasAnswer(node) && !(below?.fact === 'leavesCancel' && below.by.kind === 'llm'),
  raised: hasRaised,
  leavesFailure: leaves('leavesFailure'),
  leavesWait: leaves('leavesWait'),
  leavesCancel: leaves('leavesCancel'),
  leavesSilence: (node, below) => below?.fact === 'leavesSilence' && node.kind !== 'think_act',
}

/**
 * Marks an agent whose work no span reports as a gap: it was cancelled although all that it did had succeeded, or it
 * ended without doing or answering anything.
 */
function markUnseen(agent: AdoptNode, when: OutcomeFact | undefined): void {
  const which = when === 'saysCancelled' ? ' that was cancelled' : when === undefined && isIdle(agent) ? '' : undefined
  if (which !== undefined) agent.attributes[ATTR.adoptedGap] ??= `the work of "${agent.span.name}"${which}`
}

/** Returns what a span leaves to the span around it. */
function leftOf(node: AdoptNode, { state, rule, by }: Outcome, below: Left | undefined): Left | undefined {
  const { startTimeUnixNano: begin, endTimeUnixNano: end } = node.span
  const isGuardrail = node.kind === 'guardrail'
  if (isGuardrail && findingOf(node.span).actionTaken === false) return { fact: 'leavesStop', by: node, until: end }
  // A call that a person refused is decided, and no end of its agent.
  const fact = rule.when === 'isDecided' && state !== 'waiting' ? undefined : LEFT_BY[state]
  // A guardrail works beside the calls that it guards.
  if (fact) return { fact, by, until: isGuardrail ? begin : end }
  if (rule.when !== undefined) return undefined
  return hasNoResponse(node) ? { fact: 'leavesSilence', by: node, until: end } : below
}

const LEFT_BY: Partial<Record<string, Left['fact']>> = {
  failed: 'leavesFailure',
  waiting: 'leavesWait',
  cancelled: 'leavesCancel',
}

/** One of planspan's own spans records its state. */
function leftByOwn(node: AdoptNode): Left | undefined {
  const { attributes, statusCode, endTimeUnixNano } = node.span
  const fact = LEFT_BY[attributes[ATTR.state] ?? (statusCode === 'ERROR' ? 'failed' : '')]
  return fact && { fact, by: node, until: endTimeUnixNano }
}
