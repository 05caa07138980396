import { z } from 'zod'

import { ROLES, STATES } from '../../semconv/index.js'
import { brief } from '../answer-room.js'
import { deepest, inLevels, outlineOf, type OutlineSpan } from '../outline.js'
import { PLACE, placeOf } from '../plan-place.js'
import { defineTool } from '../define-tool.js'

const spanSchema = z.object({
  spanId: z.string(),
  depth: z
    .number()
    .int()
    .describe('How far below the first; the span above is the last one before with a smaller depth.'),
  role: z.enum(ROLES).optional().describe('Absent on a span of another instrumentation that is no part of a plan.'),
  name: z.string(),
  label: z.string().optional().describe('What it was about, in a few words.'),
  state: z.enum(STATES).optional(),
  startMs: z.number().describe('Milliseconds after startTime.'),
  durationMs: z.number(),
  failed: z.boolean().optional(),
  open: z.boolean().optional().describe('It has not ended, or its end was lost.'),
  tokens: z.number().optional(),
  risk: z.number().optional(),
  hidden: z
    .object({ spans: z.number().int(), failed: z.number().int() })
    .optional()
    .describe('How many spans below it are not shown, and how many of them failed: ask with under=spanId.'),
})

/** Returns the structure of a plan. */
export const readPlan = defineTool({
  name: 'read_plan',
  title: 'Read a plan’s skeleton',
  description:
    'What a plan did, as a tree without payloads: the plan, its agents (each at work on a step), their think-act cycles, ' +
    'model calls, tool calls, guardrails, waits and sub-plans, in order of their start, with times, states, tokens and risk. ' +
    'Of a long plan the upper levels are shown; hidden says how much is below a span. To go deeper ask with under=spanId; for ' +
    'what does not fit on one answer with offset=nextOffset. What was said, done and answered is in read_span; the steps as ' +
    'they were planned are in read_span of the plan’s own span. For what went wrong ask find_faults first.',
  input: z.object({
    ...PLACE,
    under: z.string().optional().describe('The spanId of a span: it and what is below it alone.'),
    levels: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('The number of levels; default: as many as limit allows.'),
    limit: z.number().int().min(1).max(500).default(150).describe('How many spans, as far as one answer holds them.'),
    offset: z.number().int().min(0).default(0).describe('How many spans are left out at the beginning.'),
  }),
  output: z.object({
    traceId: z.string(),
    startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
    spansInAll: z.number().int().describe('How many spans the plan has.'),
    levels: z.number().int().describe('How many levels are shown.'),
    spans: z.array(spanSchema),
    nextOffset: z
      .number()
      .int()
      .nullable()
      .describe('The offset of the next spans of these levels; null after the last.'),
  }),
  async run({ planId, under, levels, limit, offset, ...place }, { client, room, signal }) {
    const structure = await client.structure(planId, placeOf(place), { signal })
    const roots = outlineOf(structure, under)
    if (!roots)
      throw new Error(`The plan has no span ${JSON.stringify(under)}. Ask without under for its first levels.`)
    const shownLevels = levels ?? deepest(roots, limit)
    const all = [...inLevels(roots, shownLevels)]
    const spans = room.fill(all.slice(offset, offset + limit).map((span) => toRow(span, shownLevels)))
    const next = offset + spans.length
    return {
      traceId: structure.traceId,
      startTime: structure.startTime,
      spansInAll: structure.spans.length,
      levels: shownLevels,
      spans,
      nextOffset: next < all.length ? next : null,
    }
  },
})

const NAME_BYTES = 260

function toRow({ row, depth, below, failedBelow }: OutlineSpan, levels: number): z.output<typeof spanSchema> {
  const [spanId, , role, name, label, startMs, durationMs, state, failed, open, tokens, risk] = row
  return {
    spanId,
    depth,
    ...(role === null ? {} : { role }),
    name: brief(name, NAME_BYTES),
    ...(label === '' ? {} : { label: brief(label, NAME_BYTES) }),
    ...(state === null ? {} : { state }),
    startMs,
    durationMs,
    ...(failed ? { failed } : {}),
    ...(open ? { open } : {}),
    ...(tokens === null ? {} : { tokens }),
    ...(risk === null ? {} : { risk }),
    ...(depth + 1 >= levels && below > 0 ? { hidden: { spans: below, failed: failedBelow } } : {}),
  }
}
