import { append } from '../../base/append.js'
import { agentFields, ATTR, decodeFields, llmFields, planFields, type State } from '../../semconv/index.js'
import type { CostOfCall } from '../usage/index.js'
import { errorsOf, endOf, isForeignRecord, stateOf, type SpanNode } from '../tree/index.js'
import type { Failure } from '../faults/index.js'
import {
  type PlanReview,
  reviewsOf,
  latestSteps,
  type PlannedWork,
  plannedWork,
  progressPercent,
  stepProgress,
  type StepProgress,
} from '../plan/index.js'
import { headlineOf, openWaits, type Remark } from '../headline/index.js'
import { isRecord, type Listing } from './listing.js'
import { figuresOf, type PlanFigures } from './plan-figures.js'
import type { TracePlan, TracePlans } from './trace-plans.js'

/** The facts of a plan, as the mapping decides them. */
export interface PlanFacts {
  readonly plan: TracePlan
  readonly listing: Listing
  readonly isRoot: boolean
  readonly state: State
  /** When the state becomes `interrupted` if nothing more arrives, Unix nanoseconds. Undefined for never. */
  readonly interruptedAt: bigint | undefined
  /** When the plan began to wait for a person, Unix nanoseconds. Undefined unless it waits. */
  readonly waitingSince: bigint | undefined
  /** The latest end in the plan and its sub-plans, Unix nanoseconds. */
  readonly lastSeen: bigint
  readonly work: PlannedWork
  readonly steps: StepProgress
  readonly progressPercent: number | undefined
  readonly reviews: readonly PlanReview[]
  /** A root plan includes its sub-plans. A record includes its whole trace. */
  readonly figures: PlanFigures
  readonly failures: number
  readonly headline: readonly Remark[]
  readonly contents: PlanContents
}

/** The texts that plans are searched by. */
export interface PlanContents {
  readonly agents: readonly string[]
  readonly tools: readonly string[]
  readonly models: readonly string[]
  readonly errorTypes: readonly string[]
  readonly services: readonly string[]
  readonly conversations: readonly string[]
  /** The classes and messages of all errors, one per line, up to 65,536 characters. */
  readonly errorText: string
  readonly mappingVersion: number
  readonly isRedacted: boolean
}

/** What is known about a trace when its plans are decided. */
export interface PlanContext {
  readonly trace: TracePlans
  readonly listings: ReadonlyMap<TracePlan, Listing>
  readonly interruptions: ReadonlyMap<SpanNode, bigint>
  readonly failures: readonly Failure[]
  readonly costOfCall: CostOfCall
}

/** Returns the facts of one plan of a trace. */
export function planFacts(plan: TracePlan, context: PlanContext): PlanFacts {
  const { head, planId, rootPlanId } = plan
  const { trace, listings, interruptions, failures, costOfCall } = context
  const isImport = isRecord(plan)
  const isRoot = isImport || planId === rootPlanId
  const nodes = isImport ? trace.nodes : isRoot ? withSubPlans(plan, trace) : plan.own
  const members = new Set(nodes)
  const state = stateOf(head)
  const work = plannedWork(head)
  const all = isRoot ? nodes : withSubPlans(plan, trace)
  const lastSeen = latestEnd(all)
  const isForeign = isForeignRecord(head.span)
  const steps = stepsOf(head, { work, isForeign })
  const own = failures.filter(({ node }) => members.has(node))
  const { progress: stated } = decodeFields(STATED, head.span.attributes)
  return {
    plan,
    listing: listings.get(plan) ?? 'part',
    isRoot,
    state,
    interruptedAt: interruptions.get(head),
    waitingSince: state === 'waiting' ? waitingSince(all, lastSeen) : undefined,
    lastSeen,
    work,
    steps,
    progressPercent: progressPercent({ state, stated, steps }),
    reviews: reviewsOf(head.span).map((review) => (isForeign ? { ...review, time: undefined } : review)),
    figures: figuresOf(nodes, costOfCall),
    failures: own.length,
    headline: headlineOf({ head, state, nodes: all, failures: own }),
    contents: contentsOf(nodes),
  }
}

const { progress, currentStepIndex } = planFields
const STATED = { progress }
const CURRENT = { currentStepIndex }

/** Returns the spans of a plan and of the plans that name it as their root plan. */
function withSubPlans({ planId, own }: TracePlan, { plans }: TracePlans): readonly SpanNode[] {
  const below = plans.filter((other) => other.rootPlanId === planId && other.planId !== planId)
  if (below.length === 0) return own
  const nodes = [...own]
  for (const plan of below) append(nodes, plan.own)
  return nodes
}

const latestEnd = (nodes: readonly SpanNode[]): bigint =>
  nodes.reduce((latest, { span }) => (endOf(span) > latest ? endOf(span) : latest), 0n)

/** Returns the last update of the wait that has needed an answer for the longest time. */
function waitingSince(nodes: readonly SpanNode[], lastSeen: bigint): bigint {
  const [longest] = openWaits(nodes)
  return longest ? endOf(longest.span) : lastSeen
}

function stepsOf(head: SpanNode, { work, isForeign }: { work: PlannedWork; isForeign: boolean }): StepProgress {
  const begun = work.steps.filter(({ agents }) => agents.length > 0)
  const agents = work.steps.flatMap((step) => step.agents)
  const last = agents.reduce<SpanNode | undefined>((a, b) => (a && a.begun > b.begun ? a : b), undefined)
  return stepProgress({
    listed: latestSteps(head),
    begun: begun.map(({ index }) => index),
    done: begun.filter(({ state }) => state === 'completed').map(({ index }) => index),
    current: decodeFields(CURRENT, head.span.attributes).currentStepIndex,
    task: (last && decodeFields(TASK, last.span.attributes).stepDescription) ?? '',
    isRecord: isForeign,
  })
}

const { stepDescription } = agentFields
const TASK = { stepDescription }

const MAX_ERROR_TEXT = 65_536
const { model, responseModel } = llmFields

function contentsOf(nodes: readonly SpanNode[]): PlanContents {
  const sets = {
    agents: new Set<string>(),
    tools: new Set<string>(),
    models: new Set<string>(),
    errorTypes: new Set<string>(),
    services: new Set<string>(),
    conversations: new Set<string>(),
    errors: new Set<string>(),
  }
  let mappingVersion = 0
  let isRedacted = false
  for (const node of nodes) {
    const { attributes, serviceName } = node.span
    // On a plan, this is its workflow.
    if (node.role !== 'plan') sets.agents.add(attributes[ATTR.agentName] ?? '')
    sets.conversations.add(attributes[ATTR.conversationId] ?? '')
    sets.services.add(serviceName)
    if (node.role === 'tool') sets.tools.add(attributes[ATTR.toolName] ?? '')
    if (node.role === 'llm') {
      sets.models.add(attributes[model.key] ?? '')
      sets.models.add(attributes[responseModel.key] ?? '')
    }
    for (const { type = '', message = '' } of errorsOf(node)) {
      sets.errorTypes.add(type)
      sets.errors.add(type)
      sets.errors.add(message)
    }
    mappingVersion = Math.max(mappingVersion, Number(attributes[ATTR.schemaVersion] ?? 0) || 0)
    isRedacted ||= !NOTHING_REDACTED.has(attributes[ATTR.redactedFields])
  }
  const { errors, ...named } = Object.fromEntries(
    Object.entries(sets).map(([name, set]) => [name, [...set].filter((text) => text !== '').sort()]),
  ) as Record<keyof typeof sets, string[]>
  return { ...named, errorText: errors.join('\n').slice(0, MAX_ERROR_TEXT).toWellFormed(), mappingVersion, isRedacted }
}

const NOTHING_REDACTED: ReadonlySet<string | undefined> = new Set([undefined, '', '[]'])
