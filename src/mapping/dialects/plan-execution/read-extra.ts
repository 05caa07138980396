import type { State } from '../../../semconv/index.js'
import { draft, draftState, type SpanDraft } from '../../draft.js'
import { isTrue, itemsOf, member, stringOf, type JsonNode } from '../../json/node.js'
import { compactJson } from '../../json/write.js'
import type { HomeValues } from '../../record-object/homes.js'
import { unixNanoOf } from '../../time.js'

/** The token counts of the key `planspan`, by the fields of a model call; the total is a sum. */
const TOKENS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const
type Tokens = Readonly<Record<(typeof TOKENS)[number], number>>

/** The usage that an object tells of all model calls below it. */
function usageOf(extra: JsonNode | undefined): Tokens | undefined {
  const usage = member(extra, 'usage')
  if (usage?.kind !== 'object') return undefined
  const count = (name: string): number => {
    const tokens = Number(textOfNumber(member(usage, name)))
    return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0
  }
  return Object.fromEntries(TOKENS.map((name) => [name, count(name)])) as Tokens
}

/** The usage of an object's own model calls: all that it tells of without what its parts tell of. */
export function ownUsage(extra: JsonNode | undefined, parts: readonly (JsonNode | undefined)[]): HomeValues<'llm'> {
  const all = usageOf(extra)
  const told = parts.flatMap((part) => usageOf(part) ?? [])
  if (!all) return {}
  const own = Object.fromEntries(
    TOKENS.map((name) => [name, told.reduce((left, usage) => left - usage[name], all[name])]),
  ) as Tokens
  const counts = Object.values(own)
  // Zeros are told where nothing else tells that there was a call.
  const isTold = counts.every((count) => count >= 0) && (told.length === 0 || counts.some((count) => count > 0))
  return isTold ? own : {}
}

/** The model call of some usage; none for no usage. */
export const modelCall = (usage: HomeValues<'llm'>): SpanDraft[] =>
  Object.keys(usage).length === 0 ? [] : [draft('llm', usage, { every: {}, children: [] })]

/** The assessments of an object itself, as guardrails. */
export const guardrailDrafts = (extra: JsonNode | undefined): SpanDraft[] =>
  assessmentsOf(extra).map((assessment, seq) =>
    draft('guardrail', assessmentValues(assessment), {
      subject: stringOf(member(assessment, 'name')),
      every: {},
      seq,
      children: modelCall(ownUsage(assessment, [])),
    }),
  )

export const assessmentsOf = (extra: JsonNode | undefined): readonly JsonNode[] =>
  itemsOf(member(member(extra, 'risk'), 'assessments')).filter(({ kind }) => kind === 'object')

function assessmentValues(assessment: JsonNode): HomeValues<'guardrail'> {
  const action = member(assessment, 'action')
  const worldModel = member(assessment, 'worldModel')
  const policies = member(assessment, 'policies')
  const changes = member(worldModel, 'elementChanges')
  return defined({
    name: stringOf(member(assessment, 'name')),
    score: numberOf(member(assessment, 'score')),
    isSafe: booleanOf(member(assessment, 'isSafe')),
    policies: policies && itemsOf(policies).flatMap((policy) => stringOf(policy) ?? []),
    explanation: stringOf(member(assessment, 'explanation')),
    actionName: stringOf(member(action, 'name')),
    actionCallId: stringOf(member(action, 'id')),
    actionArguments: stringOf(member(action, 'parameters')),
    actionTaken: booleanOf(member(assessment, 'actionTaken')),
    semanticDelta: stringOf(member(worldModel, 'semanticDelta')),
    elementChanges: changes && (stringOf(changes) ?? compactJson(changes)),
    longTermImpact: stringOf(member(worldModel, 'longTermImpact')),
    optimizationGuidance: stringOf(member(worldModel, 'optimizationGuidance')),
  })
}

/** The reviews of a plan, as its span tells them. */
export function reviewValues(extra: JsonNode | undefined): HomeValues<'plan'> {
  const reviews = member(extra, 'reviews')
  if (reviews?.kind !== 'array') return {}
  return defined({
    reviewLog: compactJson(reviews),
    reviewCount: reviews.items.length,
    reviewFinalAction: stringOf(member(reviews.items.at(-1), 'action')),
  })
}

/** The waits of a plan or agent; `shown` is what the record's form tells of the last one that is open. */
export function waitDrafts(extra: JsonNode | undefined, shown: HomeValues<'wait'> | undefined): SpanDraft[] {
  const waits = waitsOf(extra)
  const open = openWait(extra)
  const reviews = reviewsOf(extra, waits)
  return waits.map((wait, seq) => {
    const [start, end] = ['startTime', 'endTime'].map((name) => unixNanoOf(stringOf(member(wait, name)) ?? '', 'UTC'))
    const resolution = stringOf(member(wait, 'resolution'))
    const told = defined({
      reason: stringOf(member(wait, 'reason')),
      title: stringOf(member(wait, 'title')),
      resolution,
      actor: stringOf(member(wait, 'actor')),
    })
    const values = { ...(wait === open ? shown : {}), ...told, ...reviews.get(wait) }
    return draft('wait', values, { every: draftState(waitState(end, resolution)), start, end, seq, children: [] })
  })
}

const waitsOf = (extra: JsonNode | undefined): readonly JsonNode[] =>
  itemsOf(member(extra, 'waits')).filter(({ kind }) => kind === 'object')

/** The last wait that has no end. */
export const openWait = (extra: JsonNode | undefined): JsonNode | undefined =>
  waitsOf(extra).findLast((wait) => stringOf(member(wait, 'endTime')) === undefined)

const waitState = (end: bigint | undefined, resolution: string | undefined): State => {
  if (end === undefined) return 'waiting'
  return resolution === undefined || ANSWERED.has(resolution) ? 'completed' : 'cancelled'
}
const ANSWERED: ReadonlySet<string> = new Set(['submitted', 'approved'])

/** The review that ended each wait for one, where there are as many of either. */
function reviewsOf(extra: JsonNode | undefined, waits: readonly JsonNode[]): Map<JsonNode, HomeValues<'wait'>> {
  const reviewed = waits.filter(
    (wait) => stringOf(member(wait, 'reason')) === 'plan_review' && stringOf(member(wait, 'resolution')) !== undefined,
  )
  const reviews = itemsOf(member(extra, 'reviews'))
  if (reviews.length !== reviewed.length) return new Map()
  return new Map(
    reviewed.map((wait, index) => [
      wait,
      defined({
        reviewAttempt: numberOf(member(reviews[index], 'attempt')),
        reviewAction: stringOf(member(reviews[index], 'action')),
        reviewFeedback: stringOf(member(reviews[index], 'feedback')),
      }),
    ]),
  )
}

const textOfNumber = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'number' ? node.text : undefined

function numberOf(node: JsonNode | undefined): number | undefined {
  const text = textOfNumber(node)
  return text === undefined ? undefined : Number(text)
}

const booleanOf = (node: JsonNode | undefined): boolean | undefined =>
  node?.kind === 'literal' && node.value !== null ? isTrue(node) : undefined

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
