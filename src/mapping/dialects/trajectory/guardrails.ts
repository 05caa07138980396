import { ATTR, type AttributeValue, EVENTS, evaluationFields, toWellFormed } from '../../../semconv/index.js'
import { draft, type EventDraft, type SpanDraft } from '../span-draft.js'
import type { JsonNode, JsonObject } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { OBJECTS } from './era.js'
import type { StepParts } from './properties.js'
import { sourcedModelCall, USAGE_KEYS, USAGE_SOURCES } from './usage-sources.js'

export const WORLD_MODEL = 'world_model'
export const SAFETY = 'safety'

const ACTION_KEY = /^action_(0|[1-9]\d{0,8})$/

/**
 * Returns the guardrail spans of a step: one per judged action, then the world model's own output, each with its model
 * calls.
 */
export function guardrailDrafts(step: StepParts): SpanDraft[] {
  const judged = assessments(step.safety_info)
  const { guardrail: output } = OBJECTS.worldModelOutput.read(step.world_model_output)
  const drafts = judged.map(([actionIndex, entry]) =>
    guardrailDraft({ name: SAFETY, actionIndex, ...OBJECTS.alignment.read(entry).guardrail }),
  )
  const calls = new Map<string, SpanDraft>()
  for (const key of USAGE_KEYS) {
    const source = USAGE_SOURCES[key]
    const call = sourcedModelCall(step[key], source)
    if (call) calls.set(source, call)
  }
  const hasOutput = Object.keys(output).length > 0
  if (hasOutput || calls.has(WORLD_MODEL)) {
    const repeated = hasOutput && drafts.some(({ values }) => predicts(values, output)) ? true : undefined
    drafts.push(guardrailDraft({ name: WORLD_MODEL, ...output, repeated }, calls.get(WORLD_MODEL)))
    calls.delete(WORLD_MODEL)
  }
  for (const [source, call] of calls) {
    const first = drafts[0]
    if (first && judged.length > 0) drafts[0] = { ...first, children: [...first.children, call] }
    else drafts.push(guardrailDraft({ name: source }, call))
  }
  return drafts
}

/**
 * Sets whether the judged actions were taken: in a step without actions, none was. Assessments are numbered in the
 * order of the proposed actions, which is the order of the executed ones unless some were filtered out. An assessment
 * with another number judged none of the actions again.
 */
export function withOutcomes(guardrails: readonly SpanDraft[], tools: readonly SpanDraft[]): SpanDraft[] {
  const ran = new Set(
    tools.flatMap(({ values }) => (values['actionTimestamp'] === undefined ? [] : [values['actionIndex']])),
  )
  const verdicts = new Set(
    guardrails.flatMap(({ values }) => (values['actionIndex'] === undefined ? [] : [values['isSafe']])),
  )
  const isUnfiltered = verdicts.size === 1 && verdicts.has(true)
  return guardrails.map((assessment) => {
    const { actionIndex } = assessment.values
    const isKnown = tools.some(({ values }) => values['actionIndex'] === actionIndex) && isUnfiltered && ran.size > 0
    const actionTaken = tools.length === 0 ? false : isKnown ? ran.has(actionIndex) : undefined
    return { ...assessment, values: { ...assessment.values, actionTaken } }
  })
}

/** Whether an assessment contains a prediction of the world model. */
function predicts(assessment: HomeValues<'guardrail'>, prediction: HomeValues<'guardrail'>): boolean {
  const { worldModelScore = assessment.score, worldModelExplanation = assessment.explanation } = assessment
  const contained = { ...assessment, score: worldModelScore, explanation: worldModelExplanation }
  return Object.entries(prediction).every(
    ([name, value]) => JSON.stringify(contained[name as keyof typeof contained]) === JSON.stringify(value),
  )
}

/** Returns the judged actions by the index of their proposal. Of repeated indexes the first counts. */
function assessments(safetyInfo: JsonNode | undefined): (readonly [number, JsonObject])[] {
  if (safetyInfo?.kind !== 'object') return []
  const found = new Map<number, JsonObject>()
  for (const { key, value } of safetyInfo.members) {
    const index = ACTION_KEY.exec(key.value)?.[1]
    if (index !== undefined && value.kind === 'object' && !found.has(Number(index))) found.set(Number(index), value)
  }
  return [...found]
}

/** Writes `safety_info.action_N`. Only HarmonyGuard and Reactive include an alignment. */
export function writeAssessment(values: HomeValues<'guardrail'>): JsonObject {
  const isAlignment = values.taskAlignment !== undefined || values.taskAlignmentExplanation !== undefined
  return (isAlignment ? OBJECTS.alignment : OBJECTS.assessment).write({ guardrail: values })
}

function guardrailDraft(values: HomeValues<'guardrail'>, call?: SpanDraft): SpanDraft {
  return draft('guardrail', values, {
    subject: values.name,
    every: {},
    children: call ? [call] : [],
  })
}

/** Returns the findings of guardrails as evaluation events of the judged step, as in the GenAI conventions. */
export const evaluationEvents = (guardrails: readonly SpanDraft[]): EventDraft[] =>
  guardrails.flatMap(({ values }) => (values['repeated'] === true ? [] : evaluationOf(values)))

function evaluationOf({ score, explanation, isSafe }: HomeValues<'guardrail'>): EventDraft[] {
  if (score === undefined) return []
  const attributes: Record<string, AttributeValue> = { [ATTR.evaluationName]: 'risk' }
  const value = evaluationFields.scoreValue.encode(score)
  if (value !== undefined) attributes[ATTR.evaluationScoreValue] = value
  if (isSafe !== undefined) attributes[ATTR.evaluationScoreLabel] = isSafe ? 'safe' : 'unsafe'
  if (explanation) attributes[ATTR.evaluationExplanation] = toWellFormed(explanation)
  return [{ name: EVENTS.evaluation, attributes }]
}
