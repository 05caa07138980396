import {
  ATTR,
  type Data,
  EVENTS,
  type FieldValues,
  type guardrailFields,
  type StoredSpan,
} from '../../semconv/index.js'
import { factOf } from './values/fact-place.js'
import { OUTPUT } from './values/fact-places.js'
import {
  GUARDED_ID,
  GUARDED_TYPE,
  GUARDRAIL_EXPLANATION,
  GUARDRAIL_POLICY,
  GUARDRAIL_TRIGGERED,
  GUARDRAIL_WORD,
  RISK_SCORE,
} from './values/guardrail-places.js'
import { dataIn, objectIn } from './values/json-data.js'

type Finding = Pick<
  FieldValues<typeof guardrailFields>,
  'score' | 'isSafe' | 'policies' | 'explanation' | 'actionTaken' | 'actionCallId'
>

/**
 * Returns the finding of another instrumentation's guardrail. A score without a verdict counts only if it is named a
 * risk: other scores may be a measure of quality, or of certainty. A guardrail that intervened took its action away.
 */
export function findingOf(span: StoredSpan): Finding {
  const output = outputOf(span)
  const evaluation = evaluationOf(span)
  const verdict = verdictOf(span, output, evaluation)
  const isSafe = verdict === undefined ? undefined : verdict === 'safe'
  const scores = [factOf(span, RISK_SCORE), output['risk_score'], output['riskScore'], ...risksFound(span)]
  if (isSafe === false || evaluation[ATTR.evaluationName] === 'risk') scores.push(evaluation[ATTR.evaluationScoreValue])
  if (isSafe === false) scores.push(output['score'], objectIn(span.attributes['metadata'])?.['score'])
  const policies = isSafe === false ? policiesOf(span, output) : []
  return {
    score: scores.map(numberOf).find((score) => score !== undefined),
    isSafe,
    policies: policies.length > 0 ? policies : undefined,
    explanation:
      factOf(span, GUARDRAIL_EXPLANATION) ??
      [output['risk_explanation'], output['explanation'], output['reason']].find(isText) ??
      evaluation[ATTR.evaluationExplanation],
    actionTaken: verdict === 'intervened' ? false : undefined,
    actionCallId: targetCallOf(span),
  }
}

type Verdict = 'safe' | 'unsafe' | 'intervened'

const meaning = (verdict: Verdict, words: string): (readonly [string, Verdict])[] =>
  words.split(' ').map((word) => [word, verdict])

/** Words that only state whether something is safe. An evaluator's other words rate the quality of an answer. */
const SAFETY: ReadonlyMap<string, Verdict> = new Map([
  ...meaning('safe', 'safe'),
  ...meaning('unsafe', 'unsafe harmful'),
])

const WORDS: ReadonlyMap<string, Verdict> = new Map([
  ...SAFETY,
  ...meaning('safe', 'allow allowed pass passed none approve approved valid compliant'),
  ...meaning('unsafe', 'flag flagged fail failed violation violated risky invalid'),
  ...meaning('intervened', 'intervened guardrail_intervened block blocked deny denied reject rejected stopped'),
])

type Flags = Readonly<Record<string, { readonly true: Verdict; readonly false: Verdict }>>

const SAFE = { true: 'safe', false: 'unsafe' } as const
const UNSAFE = { true: 'unsafe', false: 'safe' } as const
const INTERVENED = { true: 'intervened', false: 'safe' } as const

const SAFETY_FLAGS: Flags = { is_safe: SAFE, isSafe: SAFE, safe: SAFE, unsafe: UNSAFE }

const FLAGS: Flags = {
  ...SAFETY_FLAGS,
  passed: SAFE,
  valid: SAFE,
  allowed: { true: 'safe', false: 'intervened' },
  flagged: UNSAFE,
  violated: UNSAFE,
  intervened: INTERVENED,
  blocked: INTERVENED,
  denied: INTERVENED,
  triggered: INTERVENED,
  tripwire_triggered: INTERVENED,
  tripwireTriggered: INTERVENED,
}

const WORD_KEYS = ['action', 'decision', 'verdict', 'label', 'result', 'outcome', 'stopReason']

/** Returns the verdict that a guardrail states. An intervention counts before other words. */
function verdictOf(span: StoredSpan, output: Data, evaluation: Readonly<Record<string, string>>): Verdict | undefined {
  const [flags, words] = isEvaluator(span) ? [SAFETY_FLAGS, SAFETY] : [FLAGS, WORDS]
  const ofWord = (word: unknown) => (typeof word === 'string' ? words.get(word.trim().toLowerCase()) : undefined)
  const triggered = factOf(span, GUARDRAIL_TRIGGERED)?.toLowerCase()
  const stated = [
    triggered === 'true' ? 'intervened' : triggered === 'false' ? 'safe' : undefined,
    ofWord(factOf(span, GUARDRAIL_WORD)),
    ...Object.entries(flags).map(([key, verdicts]) => {
      const flag = output[key]
      return typeof flag === 'boolean' ? verdicts[flag ? 'true' : 'false'] : undefined
    }),
    ...[...WORD_KEYS.map((key) => output[key]), factOf(span, OUTPUT)].map(ofWord),
    ofWord(evaluation[ATTR.evaluationScoreLabel]),
  ] as const
  return stated.find((one) => one === 'intervened') ?? stated.find((one) => one !== undefined)
}

/** Whether a span rates an answer, in contrast to guarding an action. */
const isEvaluator = ({ attributes }: StoredSpan): boolean =>
  [attributes['openinference.span.kind'], attributes['langfuse.observation.type']].some((kind) =>
    /^evaluator$/i.test(kind ?? ''),
  )

/** Returns the values of a guardrail's output, or else of its metadata. */
const outputOf = (span: StoredSpan): Data => ({
  ...objectIn(span.attributes['metadata']),
  ...objectIn(factOf(span, OUTPUT)),
})

/** Returns the evaluation that a guardrail reports, as attributes or as an event. */
const evaluationOf = ({ attributes, events }: StoredSpan): Readonly<Record<string, string>> =>
  ATTR.evaluationName in attributes || ATTR.evaluationScoreLabel in attributes
    ? attributes
    : (events.find(({ name }) => name === EVENTS.evaluation)?.attributes ?? {})

const FINDING = /\bsecurity\.finding$/
const FINDING_SCORE = /\bsecurity\.risk\.score$/

/** Returns the highest risk among the findings that a guardrail reports as events. */
function risksFound({ events }: StoredSpan): number[] {
  const scores = events
    .filter(({ name }) => FINDING.test(name))
    .flatMap(({ attributes }) => Object.entries(attributes).filter(([key]) => FINDING_SCORE.test(key)))
    .flatMap(([, value]) => numberOf(value) ?? [])
  return scores.length > 0 ? [scores.reduce((most, score) => Math.max(most, score))] : []
}

function policiesOf(span: StoredSpan, output: Data): string[] {
  const listed = output['violated_policy_ids'] ?? output['policies']
  if (Array.isArray(listed)) return listed.filter(isText)
  const named = factOf(span, GUARDRAIL_POLICY)
  const data = dataIn(named)
  return Array.isArray(data) ? data.filter(isText) : named === undefined ? [] : [named]
}

/** Returns the id of the judged tool call, if the guardrail names it as its target. */
function targetCallOf(span: StoredSpan): string | undefined {
  const type = factOf(span, GUARDED_TYPE)
  const id = factOf(span, GUARDED_ID)
  return type === 'tool_call' ? id : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
