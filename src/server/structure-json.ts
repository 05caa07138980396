import { z } from 'zod'

import { isoOf, type TreeSpan } from '../mapping/index.js'
import { ATTR, ROLES, STATES, type Role } from '../semconv/index.js'
import { spanLabel } from './span-label.js'

/** What the structure tells of a span, in this order: tens of thousands of objects would be half names. */
const SPAN = [
  z.string().describe('spanId'),
  z.number().int().nullable().describe('parent: the index of the span above in this list; null for none that is here.'),
  z.enum(ROLES).nullable().describe('role: null on a span that is no part of a plan.'),
  z.string().describe('name'),
  z.string().describe('label: what it was about, at most 80 characters.'),
  z.number().describe('start: milliseconds after startTime.'),
  z.number().describe('durationMs'),
  z.enum(STATES).nullable().describe('state: null for what has not begun, or is another instrumentation’s.'),
  z.boolean().describe('failed: whether its status is an error.'),
  z.boolean().describe('pending: it has not ended, or its end was lost.'),
  z.number().int().nullable().describe('tokens: those that a model call read and wrote; null where none are told.'),
  z.number().nullable().describe('risk: what a guardrail saw; null without a score.'),
] as const

/** The answer of `GET /api/records/{planId}?fields=structure`. */
export const structureSchema = z.object({
  traceId: z.string(),
  startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
  spans: z.array(z.tuple(SPAN)).describe('In order of their start.'),
})

export type StructureJson = z.output<typeof structureSchema>

/** The tree of a trace's spans, which are in order of their start, without payloads. */
export function toStructureJson(traceId: string, spans: readonly TreeSpan[]): StructureJson {
  const start = spans[0]?.startTimeUnixNano ?? 0n
  const places = new Map(spans.map(({ spanId }, index) => [spanId, index]))
  return {
    traceId,
    startTime: isoOf(start),
    spans: spans.map((span) => [
      span.spanId,
      places.get(span.parentSpanId) ?? null,
      roleOf(span) ?? null,
      span.name,
      spanLabel(span, roleOf(span)),
      milliseconds(span.startTimeUnixNano - start),
      milliseconds(span.endTimeUnixNano - span.startTimeUnixNano),
      span.state ?? null,
      span.statusCode === 'ERROR',
      span.pending,
      tokensOf(span),
      numberOf(span.attributes[ATTR.riskScore]) ?? null,
    ]),
  }
}

const roleOf = ({ attributes }: TreeSpan): Role | undefined => ROLES.find((role) => role === attributes[ATTR.spanKind])

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
