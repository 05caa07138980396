import { append } from '../../../base/append.js'
import { agentFields, ATTR, decodeFields, planFields } from '../../../semconv/index.js'
import { jsonArray, jsonFromValue, jsonString, type JsonNode, type JsonObject } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { sumOf } from '../../usage/index.js'
import { walk, type SpanNode, droppedValues, isRedacted, missingSpans, verdictOf } from '../../tree/index.js'
import { ERAS } from './era.js'
import { toolDefinitions } from './model-answer.js'
import { stepOf, type Embed } from './turn-step.js'
import { agentsIn, turnsOf } from './turns.js'

const { objects } = ERAS.planspan
const FORMAT_VERSION = 'ATIF-v1.8'

/** A trajectory that has a place in the document but is not written yet. */
interface Unwritten {
  readonly node: SpanNode
  readonly id: string
  readonly object: JsonObject
}

/** Writes spans of any origin as a trajectory. Plans and agents below its tool calls are embedded. */
export function writePlanspan(root: SpanNode): JsonObject {
  const isCounted = [...walk(root)].some(({ role }) => role === 'llm')
  const document: JsonObject = { kind: 'object', members: [] }
  // A list instead of recursion, because plans can nest deeper than the stack.
  const unwritten: Unwritten[] = [{ node: root, id: nameOf(root), object: document }]
  for (let next = unwritten.pop(); next; next = unwritten.pop()) {
    const embedded: Unwritten[] = []
    const ids = new Map<string, number>()
    const embed: Embed = (node) => {
      const name = nameOf(node)
      const before = ids.get(name) ?? 0
      ids.set(name, before + 1)
      const id = before === 0 ? name : `${name}~${before + 1}`
      embedded.push({ node, id, object: { kind: 'object', members: [] } })
      return id
    }
    const { members } = trajectoryOf(next, { isCounted, isRoot: next.node === root, embed, embedded })
    append(next.object.members, members)
    next.object.origin = next.node.span.spanId
    append(unwritten, embedded)
  }
  return document
}

const nameOf = ({ role, span }: SpanNode): string => {
  const { [ATTR.planId]: planId = '', [ATTR.stepId]: stepId } = span.attributes
  return (role === 'plan' ? planId : stepId) || span.spanId
}

interface Around {
  readonly isCounted: boolean
  readonly isRoot: boolean
  readonly embed: Embed
  /** The trajectories embedded so far. */
  readonly embedded: readonly Unwritten[]
}

function trajectoryOf({ node, id }: Unwritten, { isCounted, isRoot, embed, embedded }: Around): JsonObject {
  const agents = agentsIn(node)
  const request = requestOf(node)
  const steps: JsonNode[] = []
  const context = { isCounted, embed, agents, request }
  const add = (step: JsonObject | undefined): void => void (step && steps.push(step))
  const turns = turnsOf(node)
  if (request !== undefined || turns.every(({ isRequest }) => isRequest)) add(stepOf({ node, request }, 0, context))
  for (const turn of turns) add(stepOf(turn, steps.length, context))
  const plan = decodeFields(planFields, node.span.attributes)
  const values: HomeValues<'plan'> = {
    formatVersion: FORMAT_VERSION,
    conversationId:
      node.span.attributes[ATTR.conversationId] ?? (isRoot ? node.span.attributes[ATTR.planRootId] : undefined),
    trajectoryId: id,
    ...totalsOf(steps),
  }
  const object = objects.trajectory.write({
    plan: values,
    parts: {
      agent: agentOf(node, agents, plan),
      steps: jsonArray(steps),
      subagent_trajectories: embedded.length > 0 ? jsonArray(embedded.map(({ object }) => object)) : undefined,
    },
  })
  return isRoot ? withVerdict(object, node) : object
}

/** Returns the request of a plan or an agent. */
const requestOf = ({ role, span }: SpanNode): string | undefined =>
  decodeFields(role === 'agent' ? agentFields : planFields, span.attributes).request

/** Adds the verdict on the trajectory, unless it is complete. */
function withVerdict(object: JsonObject, node: SpanNode): JsonObject {
  const missing = [...missingSpans(node), ...droppedValues(node)].map(({ what }) => what)
  const verdict = verdictOf({ missing: missing.length > 0, redacted: isRedacted(node), altered: false })
  if (verdict === 'complete') return object
  const extra = jsonFromValue({ planspan: { verdict, missing: missing.length > 0 ? missing : undefined } })
  return { ...object, members: [...object.members, { key: jsonString('extra'), value: extra }] }
}

/** Returns the agent of a trajectory: the only one, otherwise the workflow of several agents. */
function agentOf(node: SpanNode, agents: readonly SpanNode[], { workflow, modelName }: HomeValues<'plan'>): JsonObject {
  const fields = agents.map(({ span }) => decodeFields(agentFields, span.attributes))
  const names = new Set(fields.flatMap(({ name }) => name ?? []))
  const [only] = names
  const calls = [...walk(node)].filter(({ role }) => role === 'llm')
  return objects.agent.write({
    agent: {
      name: (names.size === 1 ? only : workflow) ?? only ?? (node.span.serviceName || 'agent'),
      version: fields.find(({ version }) => version !== undefined)?.version ?? versionOf(node),
      modelName: modelName ?? fields.find((one) => one.modelName !== undefined)?.modelName,
      tools: toolDefinitions(calls),
    },
  })
}

const UNKNOWN_VERSION = 'unknown'
const versionOf = ({ span }: SpanNode): string => span.resourceAttributes['service.version'] || UNKNOWN_VERSION

/** Returns the totals of a trajectory's own steps. */
function totalsOf(steps: readonly JsonNode[]): HomeValues<'plan'> {
  const calls = steps.map((step) => objects.step.read(step).llm)
  const counted = calls.filter((one) => one.inputTokens !== undefined || one.outputTokens !== undefined)
  const sum = (name: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'costUsd') =>
    sumOf(calls.map((one) => one[name]))
  const isPriced = counted.every(({ costUsd }) => costUsd !== undefined)
  return {
    usageInputTokens: sum('inputTokens'),
    usageOutputTokens: sum('outputTokens'),
    usageCacheReadTokens: sum('cacheReadTokens'),
    usageCostUsd: isPriced ? sum('costUsd') : undefined,
    cumulativeSteps: steps.length,
  }
}
