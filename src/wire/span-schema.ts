import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { time } from './texts.js'

/** A span as the HTTP interface writes it, with its snapshots folded into it and a resumed plan's segments into one. */
export const spanSchema = z.object({
  spanId: z.string(),
  parentSpanId: z.string().describe('Empty on a root span.'),
  name: z.string(),
  kind: z.string(),
  serviceName: z.string(),
  startTime: time,
  endTime: time,
  durationMs: z.number(),
  pending: z.boolean().describe('Whether only snapshots of it are stored: it has not ended, or its end was lost.'),
  state: z
    .enum(STATES)
    .nullable()
    .describe('Of the plan, agent, cycle, call or wait; null for a span of another instrumentation.'),
  statusCode: z.string(),
  statusMessage: z.string(),
  attributes: z
    .record(z.string(), z.string())
    .describe('All values as text, as the store holds them; on a guardrail also whether its action was taken.'),
})

/** A span with its attributes and events. */
export type SpanJson = z.output<typeof spanSchema>

/** The response of `GET /api/records/{planId}/spans`. */
export const spanListSchema = z.object({ spans: z.array(spanSchema).describe('In order of their start.') })

/** The spans of a plan. */
export type SpanList = z.output<typeof spanListSchema>

/** The response of `GET /api/records/{planId}/spans/matches`. */
export const spanMatchesSchema = z.object({
  traceId: z.string(),
  spans: z.array(z.string()).describe('The ids of the spans that hold the text, in order of their start.'),
})

/** The spans of a plan in which a text was found. */
export type SpanMatches = z.output<typeof spanMatchesSchema>
