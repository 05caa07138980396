import { z } from 'zod'

import { isoOf, type TreeSpan } from '../../mapping/index.js'
import { STATES } from '../../semconv/index.js'

const time = z.string().describe('ISO 8601 in UTC, up to nanoseconds.')

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

/** The answer of `GET /api/records/{planId}/spans`. */
export const spanListSchema = z.object({ spans: z.array(spanSchema).describe('In order of their start.') })

/** The spans of a plan. */
export type SpanList = z.output<typeof spanListSchema>

/** Converts a span to its JSON, which leaves out events and links. */
export function toSpanJson(span: TreeSpan): SpanJson {
  const { spanId, parentSpanId, name, kind, serviceName, pending, statusCode, statusMessage, attributes } = span
  return {
    spanId,
    parentSpanId,
    name,
    kind,
    serviceName,
    startTime: isoOf(span.startTimeUnixNano),
    endTime: isoOf(span.endTimeUnixNano),
    durationMs: Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
    pending,
    state: span.state ?? null,
    statusCode,
    statusMessage,
    attributes,
  }
}
