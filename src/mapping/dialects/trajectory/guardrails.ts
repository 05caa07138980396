import { ATTR, type AttributeValue, EVENTS, guardrailFields, toWellFormed } from '../../../semconv/index.js'
import { draft, type EventDraft, type SpanDraft } from '../../draft.js'
import { member, type JsonNode, type JsonObject } from '../../json/node.js'
import { presentObject, readPresent, writePresent, type Values } from './present.js'
import { assessmentShape, worldModelShape } from './shapes.js'
import { sourcedChat, USAGE_SOURCES } from './usage.js'

export const WORLD_MODEL = 'world_model'
export const SAFETY = 'safety'

const ACTION_KEY = /^action_(0|[1-9]\d{0,8})$/

/** The guardrail spans of a step: one per judged action, then the world model's own output, each with its model calls. */
export function guardrailDrafts(step: JsonObject): SpanDraft[] {
  const judged = assessments(member(step, 'safety_info'))
  const output = readPresent(member(step, 'world_model_output'), worldModelShape)
  const drafts = judged.map(([actionIndex, entry]) =>
    guardrail({ name: SAFETY, actionIndex, ...readAssessment(entry) }),
  )
  const calls = new Map<string, SpanDraft>()
  for (const [key, source] of Object.entries(USAGE_SOURCES)) {
    const chat = sourcedChat(member(step, key), source)
    if (chat) calls.set(source, chat)
  }
  if (Object.keys(output).length > 0 || calls.has(WORLD_MODEL)) {
    const hasOutput = Object.keys(output).length > 0
    const repeated = hasOutput && judged.length > 0 ? true : undefined
    drafts.push(guardrail({ name: WORLD_MODEL, ...output, repeated }, calls.get(WORLD_MODEL)))
    calls.delete(WORLD_MODEL)
  }
  for (const [source, chat] of calls) {
    const first = drafts[0]
    if (first && judged.length > 0) drafts[0] = { ...first, children: [...first.children, chat] }
    else drafts.push(guardrail({ name: source }, chat))
  }
  return drafts
}

/**
 * Assessments with whether their action was taken. None was where the step has no action. Actions are numbered as they were
 * proposed: as long as none was filtered out, they are those that ran.
 */
export function withOutcomes(guardrails: readonly SpanDraft[], tools: readonly SpanDraft[]): SpanDraft[] {
  const ran = new Set(
    tools.flatMap(({ values }) => (values['actionTimestamp'] === undefined ? [] : [values['actionIndex']])),
  )
  const verdicts = new Set(
    guardrails.flatMap(({ values }) => (values['actionIndex'] === undefined ? [] : [values['isSafe']])),
  )
  const isUnfiltered = verdicts.has(true) && !verdicts.has(false)
  return guardrails.map((assessment) => {
    const { actionIndex } = assessment.values
    const isKnown = actionIndex !== undefined && isUnfiltered && ran.size > 0
    const actionTaken = tools.length === 0 ? false : isKnown ? ran.has(actionIndex) : undefined
    return { ...assessment, values: { ...assessment.values, actionTaken } }
  })
}

/** The judged actions by the index that they were proposed with; of a repeated one the first counts. */
function assessments(safetyInfo: JsonNode | undefined): (readonly [number, JsonObject])[] {
  if (safetyInfo?.kind !== 'object') return []
  const found = new Map<number, JsonObject>()
  for (const { key, value } of safetyInfo.members) {
    const index = ACTION_KEY.exec(key.value)?.[1]
    if (index !== undefined && value.kind === 'object' && !found.has(Number(index))) found.set(Number(index), value)
  }
  return [...found]
}

/** The world model's own risk is kept where it is not the guardrail's. */
function readAssessment(entry: JsonObject): Values {
  const { worldModelScore, worldModelExplanation, ...values } = readPresent(entry, assessmentShape)
  return {
    ...values,
    worldModelScore: Object.is(worldModelScore, values['score']) ? undefined : worldModelScore,
    worldModelExplanation: worldModelExplanation === values['explanation'] ? undefined : worldModelExplanation,
  }
}

const PREDICTION_FIELDS = [
  'semanticDelta',
  'elementChanges',
  'longTermImpact',
  'policies',
  'optimizationGuidance',
  'worldModelScore',
  'worldModelExplanation',
] as const

/** The entries of `safety_info.action_N`. */
export function writeAssessment(values: Values): Readonly<Record<string, JsonNode | undefined>> {
  const hasPrediction = PREDICTION_FIELDS.some((field) => values[field] !== undefined)
  const inherited = { worldModelScore: values['score'], worldModelExplanation: values['explanation'] }
  const { world_model_output: prediction, ...entries } = writePresent(
    { ...inherited, ...defined(values) },
    assessmentShape,
  )
  const { task_alignment, task_alignment_explanation, ...assessment } = entries
  const hasAlignment = task_alignment !== undefined || task_alignment_explanation !== undefined
  return {
    ...assessment,
    world_model_output: hasPrediction ? prediction : hasAlignment ? undefined : { kind: 'literal', value: null },
    task_alignment,
    task_alignment_explanation,
  }
}

const defined = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export const writeWorldModel = (values: Values): JsonObject | undefined =>
  presentObject(writePresent(values, worldModelShape))

function guardrail(values: Values, call?: SpanDraft): SpanDraft {
  return draft('guardrail', values, {
    subject: String(values['name']),
    every: {},
    events: evaluationOf(values),
    children: call ? [call] : [],
  })
}

function evaluationOf({ score, explanation, isSafe }: Values): EventDraft[] {
  if (typeof score !== 'number') return []
  const attributes: Record<string, AttributeValue> = { [ATTR.evaluationName]: 'risk' }
  const value = guardrailFields.score.encode(score)
  if (value !== undefined) attributes[ATTR.evaluationScoreValue] = value
  if (typeof isSafe === 'boolean') attributes[ATTR.evaluationScoreLabel] = isSafe ? 'safe' : 'unsafe'
  if (typeof explanation === 'string' && explanation !== '') {
    attributes[ATTR.evaluationExplanation] = toWellFormed(explanation)
  }
  return [{ name: EVENTS.evaluation, attributes }]
}
