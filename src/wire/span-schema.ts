import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { time } from './texts.js'

/** A span of the HTTP interface. Snapshots of a span, and the segments of a resumed plan, are merged. */
export const spanSchema = z.object({
  spanId: z.string(),
  parentSpanId: z.string().describe('Empty for a root span.'),
  name: z.string(),
  kind: z.string(),
  serviceName: z.string(),
  startTime: time,
  endTime: time,
  durationMs: z.number(),
  pending: z
    .boolean()
    .describe('Whether only snapshots of the span are stored, because it has not ended or its end was lost.'),
  state: z
    .enum(STATES)
    .nullable()
    .describe('The state of the plan, agent, cycle, call or wait; null for a span of another instrumentation.'),
  statusCode: z.string(),
  statusMessage: z.string(),
  error: z
    .object({ type: z.string().nullable().describe('The class of the first error.'), text: z.string() })
    .nullable()
    .describe(
      'The errors of the span, one per line: from its exceptions, otherwise its status, otherwise `error.type`.',
    ),
  attributes: z
    .record(z.string(), z.string())
    .describe('All values as text, as stored. A guardrail also has whether its action was executed.'),
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
  spans: z.array(z.string()).describe('The ids of the spans that contain the text, in order of their start.'),
})

/** The spans of a plan that contain a text. */
export type SpanMatches = z.output<typeof spanMatchesSchema>
