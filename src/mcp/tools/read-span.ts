import { z } from 'zod'

import type { SpanJson } from '../../client/index.js'
import { STATES } from '../../semconv/index.js'
import { type AnswerRoom, beginning, brief, costOf } from '../answer-room.js'
import { PLACE, placeOf, defineTool } from '../define-tool.js'

/** The maximum size of a span's values other than attributes, bytes. */
const HEAD_BYTES = 5_000

/** Returns one span with its payloads. */
export const readSpan = defineTool({
  name: 'read_span',
  title: 'Read a span',
  description:
    'Returns one span of a plan with its full content: the request and the plan, the messages of a model call, the arguments ' +
    'and result of a tool call, an error, a risk assessment, or a wait. Values are texts, many of them JSON. Values that do not ' +
    'fit into the answer are cut; cut contains their full length. To read any part of a value, use attribute=NAME and offset. ' +
    'Attribute names follow OpenTelemetry’s GenAI conventions (gen_ai.*) and planspan’s conventions (planspan.*).',
  input: z.object({
    ...PLACE,
    spanId: z.string().describe('A spanId from read_plan or find_faults.'),
    attribute: z.string().optional().describe('The name of an attribute. Returns only its value, starting at offset.'),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('With attribute, the number of characters to skip; otherwise the number of attributes to skip.'),
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
      open: z.boolean().describe('Whether the span has not ended, or its end was lost.'),
    }),
    attributes: z
      .record(z.string(), z.string())
      .describe('The values by name; with attribute, only the requested part of its value.'),
    cut: z.record(z.string(), z.number().int()).describe('The full length of each value that is cut, in characters.'),
    nextOffset: z.number().int().nullable().describe('The offset of the next part; null after the last part.'),
  }),
  async run({ planId, spanId, attribute, offset, ...place }, { client, room, signal }) {
    const found = await client.span(planId, spanId, placeOf(place), { signal })
    const span = headOf(found)
    room.take(span)
    if (attribute === undefined) return { span, ...attributesOf(found, room, offset) }
    const text = found.attributes[attribute]
    if (text === undefined) {
      throw new Error(
        `The span has no attribute ${JSON.stringify(attribute)}. Omit attribute to list the attributes of the span.`,
      )
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

/** Returns as many attributes as fit, and cuts the longest values to equal size. */
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

/** Returns the maximum size per value so that all values together fit, bytes. */
function fairShare(costs: readonly number[], room: number): number {
  let left = room
  for (const [at, cost] of costs.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (costs.length - at))
    if (cost > share) return share
    left -= cost
  }
  return room
}
