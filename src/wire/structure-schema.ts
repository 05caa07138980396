import { z } from 'zod'

import { ROLES, STATES } from '../semconv/index.js'
import { stepsSchema } from './steps-schema.js'

/** The verdict and outcome of an action that a guardrail judged. */
export const JUDGEMENTS = ['safe', 'unsafe', 'stopped', 'taken'] as const

/** The values of a span are a tuple, because property names would double the size of tens of thousands of objects. */
const ID = z.string().describe('spanId')
export const ABOUT = [
  z.enum(ROLES).nullable().describe('role: null for a span outside of plans.'),
  z.string().describe('name'),
  z.string().describe('label: the subject of the span, at most 80 characters.'),
] as const
export const OUTCOME = [
  z.number().describe('durationMs'),
  z
    .enum(STATES)
    .nullable()
    .describe('state: null for a unit that has not begun, and for a span of another instrumentation.'),
  z.boolean().describe('failed: whether the status of the span is an error.'),
  z.boolean().describe('pending: whether the span has not ended, or its end was lost.'),
  z.number().int().nullable().describe('tokens: the input and output tokens of a model call; null if unknown.'),
  z.number().nullable().describe('risk: the risk that a guardrail reported; null without a score.'),
  z
    .enum(JUDGEMENTS)
    .nullable()
    .describe(
      'judgement of a guardrail: safe, stopped, taken, or unsafe if it is unknown whether the action was executed.',
    ),
  z.number().int().describe('segment: the index of the run of a resumed plan, from 0.'),
] as const

const structureSpanSchema = z.tuple([
  ID,
  z
    .number()
    .int()
    .nullable()
    .describe('parent: the index of the parent span in this list; null if the list does not contain it.'),
  ...ABOUT,
  z.number().describe('start: milliseconds after startTime.'),
  ...OUTCOME,
])

/** The data of an event `span` of `/spans/events?fields=structure`. */
export const spanChangeSchema = z.tuple([
  ID,
  z.string().nullable().describe('parent: the spanId of the parent span; null for a root span.'),
  ...ABOUT,
  z.number().describe('start: milliseconds since the Unix epoch.'),
  ...OUTCOME,
])

/** A new or changed span, without payloads. */
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

/** The tree of a plan's spans, with the steps of its plans. */
export type OutlineJson = z.output<typeof outlineSchema>
