import { append } from '../../../base/append.js'
import type { SpanDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject, compactJson } from '../../json/index.js'
import type { HomeValues, Values } from '../../record-object/index.js'
import { ERAS } from './era.js'
import { readResults } from './results.js'
import { idOf, isTurn, objectsOf, placeSubPlans } from './sub-plans.js'
import { messageDrafts } from './plan-messages.js'
import { extraIn, readSpan } from './span-object.js'
import { draftsBelow, subjectOf } from './spans-below.js'

const era = ERAS.planspan
const { objects } = era

/** Reads a trajectory that planspan wrote, and restores the spans that it was written from. */
export function readPlanspan(trajectory: JsonObject, planId: string, taken: Set<string>, seq?: number): SpanDraft {
  const extra = extraIn(trajectory)
  const isAgent = stringOf(member(extra, 'role')) === 'agent'
  const placed = placeSubPlans(trajectory)
  const below = (from: JsonNode | undefined): SpanDraft[] =>
    (placed.get(from) ?? []).map(([embedded, index]) =>
      readPlanspan(embedded, idOf(embedded, `${planId}/${index + 1}`, taken), taken, index),
    )
  const steps = objectsOf(member(trajectory, 'steps')).map(([step]) => step)
  const read = readSteps(steps, below)
  const version = versionOf(trajectory)
  const listed = itemsOf(member(extra, 'agents'))
  const request = requestIn(steps)
  const agents = listed.map((agent, index) =>
    agentDraft(agent, {
      index,
      version,
      steps: read.ofAgents.get(index) ?? [],
      request: read.requests.get(index) ?? (listed.length === 1 || isAgent ? request : undefined),
    }),
  )
  const [only] = agents
  if (isAgent && only) {
    return { ...only, seq, children: [...only.children, ...below(undefined)] }
  }
  const { values, every, ...bounds } = readSpan('plan', extra)
  const sessionId = stringOf(member(trajectory, 'session_id'))
  return {
    role: 'plan',
    subject: subjectOf('plan', values),
    values: { ...values, request },
    every: { ...every, planId, conversationId: sessionId === planId ? undefined : sessionId },
    ...bounds,
    seq,
    events: messageDrafts(member(extra, 'messages')),
    children: [...read.ofPlan, ...agents, ...draftsBelow(member(extra, 'spans')), ...below(undefined)],
  }
}

/** Returns the text of the first step, if it is the user's. */
function requestIn([first]: readonly JsonObject[]): string | undefined {
  return stringOf(member(first, 'source')) === 'user' ? stringOf(member(first, 'message')) || undefined : undefined
}

/** Returns the version of the trajectory's agents, if known. */
function versionOf(trajectory: JsonNode): string | undefined {
  const { version } = objects.agent.read(member(trajectory, 'agent')).agent
  return version === 'unknown' ? undefined : version
}

interface AgentParts {
  readonly index: number
  readonly version: string | undefined
  readonly steps: readonly SpanDraft[]
  readonly request: string | undefined
}

function agentDraft(extra: JsonNode, { index, version, steps, request }: AgentParts): SpanDraft {
  const { values, ...rest } = readSpan('agent', extra)
  return {
    role: 'agent',
    subject: subjectOf('agent', values),
    ...rest,
    values: { ...values, version, request },
    seq: index,
    children: [...steps, ...draftsBelow(member(extra, 'spans'))],
  }
}

interface ReadSteps {
  readonly ofPlan: readonly SpanDraft[]
  readonly ofAgents: ReadonlyMap<number, readonly SpanDraft[]>
  readonly requests: ReadonlyMap<number, string>
}

/** Returns the drafts below a tool call, or below a step beside its calls. */
type Below = (from: JsonNode) => SpanDraft[]

/** Returns the drafts of the steps, by agent. */
function readSteps(steps: readonly JsonObject[], below: Below): ReadSteps {
  const ofPlan: SpanDraft[] = []
  const ofAgents = new Map<number, SpanDraft[]>()
  const requests = new Map<number, string>()
  for (const step of steps) {
    const extra = extraIn(step)
    const role = stringOf(member(extra, 'role'))
    const at = member(extra, 'agent')
    const index = at?.kind === 'number' ? Number(at.text) : undefined
    if (role === 'request' && index !== undefined) requests.set(index, stringOf(member(step, 'message')) ?? '')
    if (!isTurn(step)) continue
    const drafts = stepDrafts(step, role, below)
    const list = index === undefined ? ofPlan : (ofAgents.get(index) ?? [])
    append(list, drafts)
    if (index !== undefined) ofAgents.set(index, list)
  }
  return { ofPlan, ofAgents, requests }
}

/** Returns a cycle or planning with everything below it. For an agent or a plan, what it did itself. */
function stepDrafts(step: JsonObject, role: string | undefined, below: Below): SpanDraft[] {
  const extra = extraIn(step)
  const { llm, parts } = objects.step.read(step)
  const calls = itemsOf(parts.tool_calls)
  const results = readResults(member(step, 'observation'), calls, era)
  const children = [
    ...draftsBelow(member(extra, 'spans')),
    ...modelCall(extra, { ...llm, output: stringOf(parts.message) }),
    ...calls.flatMap((call, index) => callDraft(call, results.ofCalls.get(index) ?? {}, below)),
    ...below(step),
  ]
  if (role === 'agent' || role === 'plan') return children
  const of = role === 'planning' ? 'planning' : 'think_act'
  const { values, ...rest } = readSpan(of, extra)
  return [{ role: of, ...rest, values, children }]
}

/** Returns the step's own model call, if any. */
function modelCall(extra: JsonNode | undefined, shown: HomeValues<'llm'>): SpanDraft[] {
  const rest = member(extra, 'modelCall')
  if (rest?.kind !== 'object') return []
  const { values, ...read } = readSpan('llm', rest)
  const all = { ...shown, ...values }
  // Null marks a key of the step that belongs to something else.
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !isNull(member(rest, name))))
  const named = values['model'] ?? values['responseModel']
  const merged: Values = { ...own, model: named === undefined ? shown.model : values['model'] }
  return [
    {
      role: 'llm',
      subject: subjectOf('llm', merged),
      ...read,
      values: merged,
      children: draftsBelow(member(extra, 'modelCallSpans')),
    },
  ]
}

const isNull = (node: JsonNode | undefined): boolean => node?.kind === 'literal' && node.value === null

/** Returns a tool call. A call that was not made belongs to its guardrail. */
function callDraft(call: JsonNode, outcome: HomeValues<'tool'>, below: Below): SpanDraft[] {
  const extra = extraIn(call)
  const notTaken = member(extra, 'notTaken')
  if (notTaken?.kind === 'literal' && notTaken.value === true) return []
  const { tool: shown } = objects.toolCall.read(call)
  const { values, ...rest } = readSpan('tool', extra)
  const all: Values = {
    callId: shown.callId,
    name: shown.name || undefined,
    arguments: argumentsOf(call),
    result: outcome.result,
    ...values,
  }
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !isNull(member(extra, name))))
  const children = [...draftsBelow(member(extra, 'spans')), ...below(call)]
  return [{ role: 'tool', subject: subjectOf('tool', own), ...rest, values: own, children }]
}

function argumentsOf(call: JsonNode): string | undefined {
  const given = member(call, 'arguments')
  return given && compactJson(given)
}
