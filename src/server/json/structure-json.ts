import type { z } from 'zod'

import { isoOf, type PlanOutline, type TreeSpan } from '../../mapping/index.js'
import { ATTR, ROLES, isUnsafe, EVENTS, type Role } from '../../semconv/index.js'
import type { ABOUT, JUDGEMENTS, OUTCOME, OutlineJson, SpanChangeJson, StructureJson } from '../../wire/index.js'
import { spanLabel } from './span-label.js'
import { toStepsJson } from './steps-json.js'

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

/** Converts a span to the data of `/spans/events?fields=structure`. */
export const toSpanChange = (span: TreeSpan): SpanChangeJson => [
  span.spanId,
  span.parentSpanId || null,
  ...aboutOf(span),
  milliseconds(span.startTimeUnixNano),
  ...outcomeOf(span),
]

type OutputsOf<Schemas extends readonly z.ZodType[]> = { -readonly [At in keyof Schemas]: z.output<Schemas[At]> }

function aboutOf(span: TreeSpan): OutputsOf<typeof ABOUT> {
  const role = roleOf(span)
  return [role ?? null, span.name, spanLabel(span, role)]
}

const outcomeOf = (span: TreeSpan): OutputsOf<typeof OUTCOME> => [
  milliseconds(span.endTimeUnixNano - span.startTimeUnixNano),
  span.state ?? null,
  span.statusCode === 'ERROR',
  span.pending,
  tokensOf(span),
  numberOf(span.attributes[ATTR.riskScore]) ?? null,
  judgementOf(span),
  span.segment,
  span.failure ?? null,
  span.costUsd ?? null,
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
  if (attributes[ATTR.spanKind] === 'tool') return isTaken === 'false' ? 'stopped' : null
  if (!isUnsafe(attributes)) return isSafe === 'true' ? 'safe' : null
  if (isTaken === undefined) return 'unsafe'
  return isTaken === 'true' ? 'taken' : 'stopped'
}

type PlannedSpan = Pick<TreeSpan, 'attributes' | 'events' | 'pending'>

const has = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== '[]'
const hasSteps = ({ attributes }: PlannedSpan): boolean =>
  has(attributes[ATTR.planSteps]) || has(attributes[ATTR.planStepsJson])

/** Whether a span of each role shows steps, several versions of a plan, reviews or a wait. */
const SHOWS_PLANNING: Readonly<Partial<Record<Role, (span: PlannedSpan) => boolean>>> = {
  plan: (span) =>
    hasSteps(span) || has(span.attributes[ATTR.reviewLog]) || span.events.some(({ name }) => name === EVENTS.review),
  planning: (span) => span.pending || hasSteps(span),
  wait: () => true,
  agent: ({ attributes }) => attributes[ATTR.stepIndex] !== undefined,
  think_act: (span) => hasSteps(span) || span.attributes[ATTR.planUpdateNeeded] === 'true',
}

/** Returns whether the steps of a trace's plans contain more than its tree. */
const isPlanned = (spans: readonly PlannedSpan[]): boolean =>
  spans.some(({ attributes }) => attributes[ATTR.spanKind] === 'plan') &&
  spans.some((span) => SHOWS_PLANNING[span.attributes[ATTR.spanKind] as Role]?.(span) === true)
