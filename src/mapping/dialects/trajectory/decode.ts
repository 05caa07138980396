import { jsonArray, jsonObject, jsonString, type JsonNode, type JsonObject } from '../../json/node.js'
import { tryParseJson } from '../../json/parse.js'
import { bare } from '../../json/write.js'
import { nearest, seqOf, type SpanNode } from '../../tree.js'
import { minutesOf } from './encode.js'
import { writeErrors } from './errors.js'
import { SAFETY, writeAssessment, writeWorldModel } from './guardrails.js'
import { presentObject, spanObject, writePresent, type Values } from './present.js'
import { planUpdateShape, stepShape, taskShape, totalsShape } from './shapes.js'
import { writeTaskParams } from './task.js'
import { actionNode, writeResult } from './tools.js'
import { USAGE_SOURCES, writeUsage, type UsageKey } from './usage.js'
import type { SpanValues, ValuesOf } from './values.js'

type Entries = Readonly<Record<string, JsonNode | undefined>>

/** The spans that are a plan's steps: its cycles, whatever agent or run they belong to. */
const cyclesOf = (node: SpanNode): SpanNode[] => nearest(node, 'think_act', ['agent', 'planning'])

/** The trajectory that a plan's spans tell; `stepsOf` tells which of them are steps. */
export function decodeTrajectory(
  node: SpanNode,
  era: string,
  valuesOf: ValuesOf,
  stepsOf: (node: SpanNode) => readonly SpanNode[] = cyclesOf,
): JsonObject {
  const { own } = valuesOf(node)
  const model = [...nearest(node, 'agent', ['planning']), node]
    .map((agent) => valuesOf(agent).own['modelName'])
    .findLast((name) => name !== undefined)
  const { task_id, task_instruction, injection, jailbreak } = writePresent(own, taskShape)
  const task = presentObject({
    task_id,
    task_instruction,
    task_params: writeTaskParams(own['taskParams'], model),
    injection: era === 'flat' && own['taskInjection'] === undefined ? undefined : injection,
    jailbreak,
  })
  const steps = jsonArray(stepsOf(node).map((step) => decodeStep(step, valuesOf)))
  const totals = writePresent(
    { ...own, totalDurationMinutes: own['totalDurationMinutes'] ?? minutesOf(own) },
    totalsShape,
  )
  const { slot: _, ...document } = spanObject(node, { steps, ...taskEntries(task, era), ...totals })
  return document
}

const taskEntries = (task: JsonObject | undefined, era: string): Entries =>
  era === 'flat'
    ? Object.fromEntries(task?.members.map(({ key, value }) => [key.value, value]) ?? [])
    : { task_metadata: task }

function decodeStep(node: SpanNode, valuesOf: ValuesOf): JsonObject {
  const self = valuesOf(node)
  const own = writePresent(self.own, stepShape)
  const chat = nearest(node, 'llm').at(-1)
  const tools = nearest(node, 'tool').map((tool) => ({ tool, values: valuesOf(tool) }))
  const results = tools.flatMap(({ tool, values }) => {
    const entries = writeResult(values, actionNode(values))
    return entries ? [spanObject(tool, entries)] : []
  })
  return spanObject(node, {
    step_idx: own.step_idx,
    timestamp: own.timestamp,
    response: responseNode((chat ? valuesOf(chat) : self).own),
    actions: jsonArray(tools.map(({ values }) => actionNode(values) ?? { kind: 'literal', value: null })),
    screenshot_file: own.screenshot_file,
    a11y_tree: own.a11y_tree,
    _empty_step: own._empty_step,
    ...guardrailEntries(node, valuesOf),
    token_usage: chat && usageObject(chat, valuesOf),
    ...sourcedUsages(node, valuesOf),
    step_duration_seconds: own.step_duration_seconds,
    action_results: results.length > 0 ? jsonArray(results) : undefined,
    reward: own.reward,
    done: own.done,
    info: own.info,
    action_timestamp: own.action_timestamp,
    next_state_a11y_tree: own.next_state_a11y_tree,
    next_state_screenshot_file: own.next_state_screenshot_file,
    plan: own.plan,
    errors: writeErrors(node.span.events),
    cumulative_stats: own.cumulative_stats,
    env_state: own.env_state,
  })
}

function responseNode({ output, outputItems }: Values): JsonNode | undefined {
  const items = typeof outputItems === 'string' ? tryParseJson(outputItems) : undefined
  if (items) return bare(items)
  return typeof output === 'string' ? jsonString(output) : undefined
}

/** A guardrail span is a judged action's, or holds the step's own output of the world model. */
const isJudgement = ({ own }: SpanValues): boolean =>
  own['actionIndex'] !== undefined || (own['name'] === SAFETY && own['score'] !== undefined)

function guardrailEntries(step: SpanNode, valuesOf: ValuesOf): Entries {
  const guardrails = nearest(step, 'guardrail').map((node) => ({ node, values: valuesOf(node) }))
  const judged: [string, JsonNode][] = []
  let output: JsonNode | undefined
  for (const { node, values } of guardrails) {
    if (isJudgement(values)) {
      const index = values.own['actionIndex'] ?? seqOf(node) ?? judged.length
      const { slot: _, ...entry } = spanObject(node, writeAssessment(values.own))
      judged.push([`action_${String(index)}`, entry])
    } else {
      const prediction = writeWorldModel(values.own)
      output ??= prediction && { ...prediction, origin: node.span.spanId }
    }
  }
  const update = presentObject(writePresent(valuesOf(step).own, planUpdateShape))
  if (update) judged.push(['plan_update', update])
  return { world_model_output: output, safety_info: judged.length > 0 ? jsonObject(judged) : undefined }
}

/** Of the guardrails' model calls the first of each source. */
function sourcedUsages(step: SpanNode, valuesOf: ValuesOf): Entries {
  const calls = nearest(step, 'guardrail').flatMap((guardrail) => nearest(guardrail, 'llm'))
  const entries: Partial<Record<UsageKey, JsonNode | undefined>> = {}
  for (const [key, source] of Object.entries(USAGE_SOURCES) as [UsageKey, string][]) {
    const call = calls.find((chat) => valuesOf(chat).own['usageSource'] === source)
    entries[key] = call && usageObject(call, valuesOf)
  }
  return entries
}

function usageObject(chat: SpanNode, valuesOf: ValuesOf): JsonObject | undefined {
  const usage = writeUsage(valuesOf(chat).own)
  return usage && { ...usage, origin: chat.span.spanId }
}
