import { z } from 'zod'

import type { StructureJson } from '../../client/index.js'
import { ROLES, STATES } from '../../semconv/index.js'
import { brief } from '../answer-room.js'
import { defineTool, PLACE, placeOf } from '../define-tool.js'

const spanSchema = z.object({
  spanId: z.string(),
  depth: z
    .number()
    .int()
    .describe('The level below the first span. The parent is the last preceding span with a smaller depth.'),
  role: z.enum(ROLES).optional().describe('Absent for a span of another instrumentation outside of plans.'),
  name: z.string(),
  label: z.string().optional().describe('The subject of the span, in a few words.'),
  state: z.enum(STATES).optional(),
  startMs: z.number().describe('Milliseconds after startTime.'),
  durationMs: z.number(),
  failed: z.boolean().optional(),
  open: z.boolean().optional().describe('Whether the span has not ended, or its end was lost.'),
  tokens: z.number().optional(),
  risk: z.number().optional(),
  hidden: z
    .object({ spans: z.number().int(), failed: z.number().int() })
    .optional()
    .describe(
      'The number of descendants that are not shown, and how many of these failed. Use under=spanId to read them.',
    ),
})

/** Returns the span tree of a plan. */
export const readPlan = defineTool({
  name: 'read_plan',
  title: 'Read the span tree of a plan',
  description:
    'Returns the spans of a plan as a tree without payloads: the plan, its agents (each works on a step), their think-act ' +
    'cycles, model calls, tool calls, guardrails, waits and sub-plans, in order of their start, with times, states, tokens ' +
    'and risk. Shows only the upper levels of a long plan; hidden counts the spans below. To read deeper levels, use ' +
    'under=spanId. To read more spans of these levels, use offset=nextOffset. Use read_span for messages, arguments and ' +
    'results, and read_span with the plan’s own span for the planned steps. To find out what went wrong, call find_faults first.',
  input: z.object({
    ...PLACE,
    under: z.string().optional().describe('A spanId. Returns only this span and its descendants.'),
    levels: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('The number of levels to return; by default as many as limit allows.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(150)
      .describe('The maximum number of spans. Fewer are returned if the answer would be too large.'),
    offset: z.number().int().min(0).default(0).describe('The number of spans to skip.'),
  }),
  output: z.object({
    traceId: z.string(),
    startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
    spansInAll: z.number().int().describe('The total number of spans of the plan.'),
    levels: z.number().int().describe('The number of returned levels.'),
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
    if (!roots) throw new Error(`The plan has no span ${JSON.stringify(under)}. Omit under to read the upper levels.`)
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

type Row = StructureJson['spans'][number]

/** A span in the tree, with its descendants. */
interface OutlineSpan {
  readonly row: Row
  /** 0 for the outermost shown span. */
  readonly depth: number
  /** The number of its descendants. */
  readonly below: number
  /** The number of its failed descendants. */
  readonly failedBelow: number
  readonly children: readonly OutlineSpan[]
}

/** The index of the field that says whether a span failed. */
const FAILED = 8

/** Builds the trees of a structure, or the subtree of one span. Returns undefined if the span is missing. */
export function outlineOf({ spans }: StructureJson, under: string | undefined): OutlineSpan[] | undefined {
  const children: number[][] = spans.map(() => [])
  const roots: number[] = []
  for (const [at, [, parent]] of spans.entries()) (parent === null ? roots : (children[parent] ?? roots)).push(at)
  const selected = under === undefined ? roots : spans.flatMap(([id], at) => (id === under ? [at] : []))
  if (selected.length === 0 && under !== undefined) return undefined

  const built = new Map<number, OutlineSpan>()
  // Parents precede their children, so iterating backwards completes the children first.
  const inOrder: { at: number; depth: number }[] = selected.map((at) => ({ at, depth: 0 }))
  for (const { at, depth } of inOrder)
    for (const child of children[at] ?? []) inOrder.push({ at: child, depth: depth + 1 })
  for (const { at, depth } of inOrder.toReversed()) {
    const below = (children[at] ?? []).flatMap((child) => built.get(child) ?? [])
    const row = spans[at]
    if (!row) continue
    built.set(at, {
      row,
      depth,
      children: below,
      below: below.reduce((sum, child) => sum + 1 + child.below, 0),
      failedBelow: below.reduce((sum, child) => sum + Number(child.row[FAILED]) + child.failedBelow, 0),
    })
  }
  return selected.flatMap((at) => built.get(at) ?? [])
}

/** Returns how many levels fit into a number of spans; at least one. */
export function deepest(roots: readonly OutlineSpan[], most: number): number {
  let level = roots
  let shown = 0
  let levels = 0
  while (level.length > 0 && (levels === 0 || shown + level.length <= most)) {
    shown += level.length
    levels++
    level = level.flatMap(({ children }) => children)
  }
  return levels
}

/** Yields the spans of the first levels, parents before children. */
export function* inLevels(roots: readonly OutlineSpan[], levels: number): Generator<OutlineSpan> {
  const pending = roots.toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    if (next.depth + 1 < levels) for (const child of next.children.toReversed()) pending.push(child)
  }
}
