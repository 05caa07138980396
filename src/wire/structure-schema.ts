import { z } from 'zod'

import { ROLES, STATES } from '../semconv/index.js'
import { stepsSchema } from './steps-schema.js'

/** What became of an action that a guardrail judged. */
export const JUDGEMENTS = ['safe', 'unsafe', 'stopped', 'taken'] as const

/** The values of a span in the structure, as a tuple: in tens of thousands of objects, half would be names. */
const ID = z.string().describe('spanId')
export const ABOUT = [
  z.enum(ROLES).nullable().describe('role: null on a span that is no part of a plan.'),
  z.string().describe('name'),
  z.string().describe('label: what it was about, at most 80 characters.'),
] as const
export const OUTCOME = [
  z.number().describe('durationMs'),
  z.enum(STATES).nullable().describe('state: null for what has not begun, or is another instrumentation’s.'),
  z.boolean().describe('failed: whether its status is an error.'),
  z.boolean().describe('pending: it has not ended, or its end was lost.'),
  z.number().int().nullable().describe('tokens: the tokens that a model call read and wrote; null if unknown.'),
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

/** The response of `GET /api/records/{planId}?fields=structure`. */
export const structureSchema = z.object({
  traceId: z.string(),
  startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
  planned: z.boolean().describe('Whether /steps contains steps, versions, reviews or waits.'),
  spans: z.array(structureSpanSchema).describe('In order of their start.'),
})

/** The tree of a plan’s spans, without payloads. */
export type StructureJson = z.output<typeof structureSchema>

/** The response of `GET /api/records/{planId}?fields=outline`. */
export const outlineSchema = structureSchema.extend({ plans: stepsSchema.shape.plans })

/** The same, with the steps of its plans. */
export type OutlineJson = z.output<typeof outlineSchema>
