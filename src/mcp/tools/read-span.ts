import { z } from 'zod'

import type { SpanJson } from '../../client/index.js'
import { STATES } from '../../semconv/index.js'
import { type AnswerRoom, beginning, brief, costOf } from '../answer-room.js'
import { PLACE, placeOf } from '../plan-place.js'
import { defineTool } from '../define-tool.js'

/** The largest size of a span’s values other than attributes, bytes. */
const HEAD_BYTES = 5_000

/** Returns one span with its payloads. */
export const readSpan = defineTool({
  name: 'read_span',
  title: 'Read a span',
  description:
    'One span of a plan with all that was said, done and answered in it: request and plan, messages of a model call, ' +
    'arguments and result of a tool call, an error, a risk assessment, a wait. Values are texts, many of them JSON. Long ones ' +
    'are cut where an answer does not hold them: cut tells their whole length, and you get any part of one with attribute=its ' +
    'name and offset. Its keys are those of OpenTelemetry’s GenAI conventions (gen_ai.*) and planspan’s (planspan.*).',
  input: z.object({
    ...PLACE,
    spanId: z.string().describe('From read_plan or find_faults.'),
    attribute: z.string().optional().describe('One value alone, from offset on.'),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('Of the value: how many characters are left out. Without attribute: how many values.'),
  }),
  output: z.object({
    span: z.object({
      spanId: z.string(),
      parentSpanId: z.string(),
      name: z.string(),
      service: z.string(),
      startTime: z.string(),
      durationMs: z.number(),
      state: z.enum(STATES).nullable(),
      status: z.string().describe('UNSET, OK or ERROR.'),
      statusMessage: z.string(),
      open: z.boolean().describe('It has not ended, or its end was lost.'),
    }),
    attributes: z.record(z.string(), z.string()).describe('By name; of the one that was asked for the part.'),
    cut: z.record(z.string(), z.number().int()).describe('Of those that are cut: how many characters they have.'),
    nextOffset: z.number().int().nullable().describe('Where to go on; null where nothing is left.'),
  }),
  async run({ planId, spanId, attribute, offset, ...place }, { client, room, signal }) {
    const found = await client.span(planId, spanId, placeOf(place), { signal })
    const span = headOf(found)
    room.take(span)
    if (attribute === undefined) return { span, ...attributesOf(found, room, offset) }
    const text = found.attributes[attribute]
    if (text === undefined) {
      throw new Error(`The span has no ${JSON.stringify(attribute)}. Ask without attribute for those it has.`)
    }
    const part = beginning(text.slice(offset), room.left - costOf(attribute))
    const next = offset + part.length
    const isCut = next < text.length
    return {
      span,
      attributes: { [attribute]: part },
      cut: isCut || offset > 0 ? { [attribute]: text.length } : {},
      nextOffset: isCut ? next : null,
    }
  },
})

function headOf(found: SpanJson) {
  const { spanId, parentSpanId, name, serviceName, startTime, durationMs, state, statusCode, statusMessage } = found
  return {
    spanId,
    parentSpanId,
    name: brief(name, HEAD_BYTES / 5),
    service: brief(serviceName, HEAD_BYTES / 5),
    startTime,
    durationMs,
    state,
    status: statusCode,
    statusMessage: brief(statusMessage, HEAD_BYTES / 2),
    open: found.pending,
  }
}

/** Returns as much of each value as fits, cutting the longest values to equal length; of many values the first. */
function attributesOf({ attributes }: SpanJson, room: AnswerRoom, offset: number) {
  const all = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const named = room.fill(all.slice(offset).map(([key]) => [key, '', key, 0, 0]))
  const shown = all.slice(offset, offset + named.length)
  const most = fairShare(
    shown.map(([, text]) => costOf(text)),
    room.left,
  )
  const parts = shown.map(
    ([key, text]) => [key, costOf(text) <= most ? text : beginning(text, most), text.length] as const,
  )
  const next = offset + shown.length
  return {
    attributes: Object.fromEntries(parts.map(([key, text]) => [key, text])),
    cut: Object.fromEntries(parts.flatMap(([key, text, length]) => (text.length < length ? [[key, length]] : []))),
    nextOffset: next < all.length ? next : null,
  }
}

/** The largest size per value so that all values together fit. */
function fairShare(costs: readonly number[], room: number): number {
  let left = room
  for (const [at, cost] of costs.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (costs.length - at))
    if (cost > share) return share
    left -= cost
  }
  return room
}
