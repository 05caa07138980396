import { z } from 'zod'

import { isoOf, type PlanOutline, type TreeSpan } from '../../mapping/index.js'
import { ATTR, ROLES, STATES, type Role, isUnsafe } from '../../semconv/index.js'
import { isPlanned } from './is-planned.js'
import { spanLabel } from './span-label.js'
import { stepsSchema, toStepsJson } from './steps-json.js'

/** What became of an action that a guardrail judged. */
const JUDGEMENTS = ['safe', 'unsafe', 'stopped', 'taken'] as const

/** What the structure tells of a span, in one order: tens of thousands of objects would be half names. */
const ID = z.string().describe('spanId')
const ABOUT = [
  z.enum(ROLES).nullable().describe('role: null on a span that is no part of a plan.'),
  z.string().describe('name'),
  z.string().describe('label: what it was about, at most 80 characters.'),
] as const
const OUTCOME = [
  z.number().describe('durationMs'),
  z.enum(STATES).nullable().describe('state: null for what has not begun, or is another instrumentation’s.'),
  z.boolean().describe('failed: whether its status is an error.'),
  z.boolean().describe('pending: it has not ended, or its end was lost.'),
  z.number().int().nullable().describe('tokens: those that a model call read and wrote; null where none are told.'),
  z.number().nullable().describe('risk: what a guardrail saw; null without a score.'),
  z
    .enum(JUDGEMENTS)
    .nullable()
    .describe('judgement of a guardrail: safe; else unsafe, or where it is known what followed, stopped or taken.'),
  z.number().int().describe('segment: in which run of a plan that was resumed it stands, from 0.'),
] as const

const structureSpanSchema = z.tuple([
  ID,
  z.number().int().nullable().describe('parent: the index of the span above in this list; null for none that is here.'),
  ...ABOUT,
  z.number().describe('start: milliseconds after startTime.'),
  ...OUTCOME,
])

/** The data of an event `span` of `/spans/events?fields=structure`. */
export const spanChangeSchema = z.tuple([
  ID,
  z.string().nullable().describe('parent: the spanId of the span above; null for none.'),
  ...ABOUT,
  z.number().describe('start: milliseconds since the Unix epoch.'),
  ...OUTCOME,
])

/** A span that came or changed, without payloads. */
export type SpanChangeJson = z.output<typeof spanChangeSchema>

/** The answer of `GET /api/records/{planId}?fields=structure`. */
export const structureSchema = z.object({
  traceId: z.string(),
  startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
  planned: z.boolean().describe('Whether /steps tells of steps, versions, reviews or waits.'),
  spans: z.array(structureSpanSchema).describe('In order of their start.'),
})

/** The tree of a plan’s spans, without payloads. */
export type StructureJson = z.output<typeof structureSchema>

/** The answer of `GET /api/records/{planId}?fields=outline`. */
export const outlineSchema = structureSchema.extend({ plans: stepsSchema.shape.plans })

/** The same, with the steps of its plans. */
export type OutlineJson = z.output<typeof outlineSchema>

/** A trace's tree with its plans' steps. */
export const toOutlineJson = (traceId: string, { spans, courses }: PlanOutline): OutlineJson => ({
  ...toStructureJson(traceId, spans),
  plans: toStepsJson(traceId, courses).plans,
})

/** The tree of a trace's spans, which are in order of their start, without payloads. */
export function toStructureJson(traceId: string, spans: readonly TreeSpan[]): StructureJson {
  const start = spans[0]?.startTimeUnixNano ?? 0n
  const places = new Map(spans.map(({ spanId }, index) => [spanId, index]))
  return {
    traceId,
    startTime: isoOf(start),
    planned: isPlanned(spans),
    spans: spans.map((span) => [
      span.spanId,
      places.get(span.parentSpanId) ?? null,
      ...aboutOf(span),
      milliseconds(span.startTimeUnixNano - start),
      ...outcomeOf(span),
    ]),
  }
}

/** A span as `/spans/events?fields=structure` tells of it. */
export const toSpanChange = (span: TreeSpan): SpanChangeJson => [
  span.spanId,
  span.parentSpanId || null,
  ...aboutOf(span),
  milliseconds(span.startTimeUnixNano),
  ...outcomeOf(span),
]

type Told<Schemas extends readonly z.ZodType[]> = { -readonly [At in keyof Schemas]: z.output<Schemas[At]> }

function aboutOf(span: TreeSpan): Told<typeof ABOUT> {
  const role = roleOf(span)
  return [role ?? null, span.name, spanLabel(span, role)]
}

const outcomeOf = (span: TreeSpan): Told<typeof OUTCOME> => [
  milliseconds(span.endTimeUnixNano - span.startTimeUnixNano),
  span.state ?? null,
  span.statusCode === 'ERROR',
  span.pending,
  tokensOf(span),
  numberOf(span.attributes[ATTR.riskScore]) ?? null,
  judgementOf(span),
  span.segment,
]

const ROLE_OF: ReadonlyMap<string | undefined, Role> = new Map(ROLES.map((role) => [role, role]))
const roleOf = ({ attributes }: TreeSpan): Role | undefined => ROLE_OF.get(attributes[ATTR.spanKind])

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6

function numberOf(text: string | undefined): number | undefined {
  const number = Number(text ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

function tokensOf(span: TreeSpan): number | null {
  if (roleOf(span) !== 'llm') return null
  const {
    [ATTR.usageInputTokens]: input,
    [ATTR.usageOutputTokens]: output,
    [ATTR.usageRollupTotalTokens]: total,
  } = span.attributes
  if (input === undefined && output === undefined) return numberOf(total) ?? null
  return (numberOf(input) ?? 0) + (numberOf(output) ?? 0)
}

function judgementOf({ attributes }: TreeSpan): (typeof JUDGEMENTS)[number] | null {
  const { [ATTR.riskIsSafe]: isSafe, [ATTR.riskActionTaken]: isTaken } = attributes
  if (!isUnsafe(attributes)) return isSafe === 'true' ? 'safe' : null
  if (isTaken === undefined) return 'unsafe'
  return isTaken === 'true' ? 'taken' : 'stopped'
}
