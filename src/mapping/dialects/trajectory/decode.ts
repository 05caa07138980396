import type { SpanEvent } from '../../../semconv/index.js'
import {
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  type JsonNode,
  type JsonObject,
  tryParseJson,
  bare,
} from '../../json/index.js'
import { type HomeValues, storedValues, type ValuesOf, ofSpan } from '../../record-object/index.js'
import { nearest, seqOf, type SpanNode } from '../../tree/index.js'
import { ERAS, OBJECTS, type EraName } from './era.js'
import { writeErrors } from './step-errors.js'
import { SAFETY, writeAssessment } from './guardrails.js'
import type { StepParts } from './properties.js'
import { writeTaskParams } from './task.js'
import { actionNode, writeResult } from './tools.js'
import { isOwnCall, USAGE_KEYS, USAGE_SOURCES, type UsageKey } from './usage-sources.js'

/** Returns the spans that are a plan's steps: its cycles, of any agent or run. */
const cyclesOf = (node: SpanNode): SpanNode[] => nearest(node, 'think_act', ['agent', 'planning'])

/** The source of a trajectory's content. */
export interface TrajectorySource {
  readonly valuesOf: ValuesOf
  /** Returns the spans that are steps. */
  readonly stepsOf: (plan: SpanNode) => readonly SpanNode[]
  /** Returns the events with a step's errors. */
  readonly eventsOf: (step: SpanNode) => readonly SpanEvent<string>[]
}

/** The source for spans of an imported trajectory. */
export const STORED: TrajectorySource = {
  valuesOf: storedValues,
  stepsOf: cyclesOf,
  eventsOf: ({ span }) => span.events,
}

/** Writes a plan's spans as a trajectory. */
export function decodeTrajectory(node: SpanNode, era: EraName, source: TrajectorySource): JsonObject {
  const { valuesOf, stepsOf } = source
  const values: HomeValues<'plan'> = valuesOf(node)
  const model = [...nearest(node, 'agent', ['planning']), node]
    .map((agent) => (valuesOf(agent) as HomeValues<'agent'>).modelName)
    .findLast((name) => name !== undefined)
  const parts = {
    steps: jsonArray(stepsOf(node).map((step) => decodeStep(step, source))),
    task_params: writeTaskParams(values.taskParams, model),
  }
  return ofSpan(node, ERAS[era].objects.document.write({ plan: values, parts }))
}

function decodeStep(node: SpanNode, { valuesOf, eventsOf }: TrajectorySource): JsonObject {
  const values = valuesOf(node)
  const call = nearest(node, 'llm').findLast((each) => isOwnCall((valuesOf(each) as HomeValues<'llm'>).usageSource))
  const tools = nearest(node, 'tool').map((tool) => [tool, valuesOf(tool)] as const)
  const results = tools.flatMap(([tool, values]) => {
    const result = writeResult(values)
    return result ? [ofSpan(tool, result)] : []
  })
  const parts: StepParts = {
    response: responseNode(call ? valuesOf(call) : values),
    actions: jsonArray(tools.map(([, values]) => actionNode(values) ?? jsonLiteral(null))),
    ...guardrailParts(node, valuesOf),
    token_usage: call && usageObject(call, valuesOf),
    ...sourcedUsages(node, valuesOf),
    action_results: results.length > 0 ? jsonArray(results) : undefined,
    errors: writeErrors(eventsOf(node)),
  }
  return ofSpan(node, OBJECTS.step.write({ think_act: values, parts }))
}

function responseNode({ output, outputItems }: HomeValues<'llm'>): JsonNode | undefined {
  const items = outputItems === undefined ? undefined : tryParseJson(outputItems)
  if (items) return bare(items)
  return output === undefined ? undefined : jsonString(output)
}

/** Whether a guardrail span is the judgement of an action. Otherwise it is the step's own output of the world model. */
const isJudgement = ({ name, score, actionIndex }: HomeValues<'guardrail'>): boolean =>
  actionIndex !== undefined || (name === SAFETY && score !== undefined)

function guardrailParts(step: SpanNode, valuesOf: ValuesOf): Pick<StepParts, 'world_model_output' | 'safety_info'> {
  const judged: [string, JsonNode][] = []
  let output: JsonNode | undefined
  for (const node of nearest(step, 'guardrail')) {
    const values: HomeValues<'guardrail'> = valuesOf(node)
    if (isJudgement(values)) {
      const index = values.actionIndex ?? seqOf(node) ?? judged.length
      judged.push([`action_${index}`, ofSpan(node, writeAssessment(values))])
    } else {
      const prediction = OBJECTS.worldModelOutput.writeUnlessEmpty({ guardrail: values })
      output ??= prediction && ofSpan(node, prediction)
    }
  }
  const update = OBJECTS.planUpdate.writeUnlessEmpty({ think_act: valuesOf(step) })
  if (update) judged.push(['plan_update', update])
  return { world_model_output: output, safety_info: judged.length > 0 ? jsonObject(judged) : undefined }
}

/** Returns the first model call of each safety system in a step. */
function sourcedUsages(step: SpanNode, valuesOf: ValuesOf): Pick<StepParts, UsageKey> {
  const calls = nearest(step, 'llm', ['guardrail'])
  const usageOf = (key: UsageKey): JsonNode | undefined => {
    const source = USAGE_SOURCES[key]
    const call = calls.find((call) => (valuesOf(call) as HomeValues<'llm'>).usageSource === source)
    return call && usageObject(call, valuesOf)
  }
  return Object.fromEntries(USAGE_KEYS.map((key) => [key, usageOf(key)]))
}

function usageObject(call: SpanNode, valuesOf: ValuesOf): JsonObject | undefined {
  const usage = OBJECTS.usage.writeUnlessEmpty({ llm: valuesOf(call) })
  return usage && ofSpan(call, usage)
}
