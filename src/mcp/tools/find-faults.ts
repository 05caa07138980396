import { z } from 'zod'

import type { FaultsJson } from '../../client/index.js'
import { ROLES, STATES } from '../../semconv/index.js'
import { brief, type AnswerRoom } from '../answer-room.js'
import { PLACE, placeOf, defineTool } from '../define-tool.js'

const placeSchema = z.object({
  spanId: z.string(),
  role: z.enum(ROLES).optional(),
  name: z.string(),
  label: z.string().optional(),
  state: z.enum(STATES).optional(),
  step: z.string().optional().describe('The step that an agent works on, such as "7 of 40".'),
})
const path = z
  .array(placeSchema)
  .describe(
    'The path from the outermost plan to the span. A long path contains the outermost plan and the innermost spans.',
  )

const failureSchema = z.object({
  spanId: z.string(),
  time: z.string().describe('The time when the span ended.'),
  errorType: z.string().optional(),
  message: z.string().optional().describe('The beginning of the message. Use read_span for the full message.'),
  reached: z
    .string()
    .describe(
      'The spanId of the outermost span that the failure propagated to; the failed span’s own if the plan recovered.',
    ),
  endedPlan: z.boolean().describe('Whether the failure propagated to the outermost plan.'),
  path,
})
const actionSchema = z.object({
  spanId: z.string().describe('The span of the guardrail.'),
  time: z.string(),
  taken: z
    .boolean()
    .nullable()
    .describe('true if the action ran nonetheless, false if it was stopped, null if unknown.'),
  risk: z.number().nullable(),
  guardrail: z.string().optional(),
  policies: z.array(z.string()),
  explanation: z.string().optional(),
  tool: z.string().optional(),
  callSpanId: z.string().optional(),
  arguments: z.string().optional(),
  path,
})
const waitSchema = z.object({
  spanId: z.string(),
  startTime: z.string(),
  durationMs: z.number().nullable(),
  lasted: z.string().describe('The duration in words.'),
  open: z.boolean().describe('Whether the plan is still waiting for the answer.'),
  reason: z.string().optional(),
  title: z.string().optional(),
  resolution: z.string().optional(),
  actor: z.string().optional().describe('The person or system that answered.'),
  path,
})

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.number().int().describe('The total number of items.'),
    items: z.array(item),
    nextOffset: z
      .number()
      .int()
      .nullable()
      .describe('The offset of the next items, to use with only; null after the last item.'),
  })

const KINDS = ['failures', 'actions', 'waits'] as const

/** Finds the failures, unsafe actions and waits of a plan. */
export const findFaults = defineTool({
  name: 'find_faults',
  title: 'Find out what went wrong',
  description:
    'Returns what went wrong in a plan, or took long: (1) the original failures in order of time, each with its error and the ' +
    'path from the plan down to the failed call. A propagated error is listed once, and reached is the outermost span that ' +
    'failed with it. (2) The actions that a guardrail found unsafe or stopped; actions that ran nonetheless are listed first. ' +
    '(3) The waits for a person, longest first. Call this before you read a plan span by span. Use read_span for details of a ' +
    'spanId. To read more items of one kind, use only and offset=nextOffset.',
  input: z.object({
    ...PLACE,
    only: z.enum(KINDS).optional().describe('Returns only this kind.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(20)
      .describe('The maximum number of items per kind. Fewer are returned if the answer would be too large.'),
    offset: z.number().int().min(0).default(0).describe('The number of items of each kind to skip.'),
  }),
  output: z.object({
    traceId: z.string(),
    failures: listOf(failureSchema).optional(),
    actions: listOf(actionSchema).optional(),
    waits: listOf(waitSchema).optional(),
  }),
  async run({ planId, only, limit, offset, ...place }, { client, room, signal }) {
    const faults = await client.faults(planId, { ...placeOf(place), limit, offset }, { signal })
    const kinds = only === undefined ? KINDS : [only]
    const pages = kinds.map((kind, at) => [
      kind,
      pageOf(faults, kind, { room, offset, share: 1 / (kinds.length - at) }),
    ])
    return { traceId: faults.traceId, ...Object.fromEntries(pages) }
  },
})

interface Page {
  readonly room: AnswerRoom
  readonly offset: number
  readonly share: number
}

function pageOf(faults: FaultsJson, kind: (typeof KINDS)[number], { room, offset, share }: Page) {
  const { count } = faults[kind]
  const all: readonly object[] = WRITERS[kind](faults)
  const items = room.fill(all, share)
  const next = offset + items.length
  return { count, items, nextOffset: next < count ? next : null }
}

const WRITERS: Readonly<Record<(typeof KINDS)[number], (faults: FaultsJson) => object[]>> = {
  failures: ({ failures }) =>
    failures.items.map(({ path, errorType, message, ...failure }) => ({
      ...failure,
      ...texts({ errorType, message }),
      path: pathOf(path),
    })),
  actions: ({ actions }) =>
    actions.items.map(({ path, guardrail, explanation, tool, callSpanId, arguments: given, policies, ...action }) => ({
      ...action,
      ...texts({ guardrail, explanation, tool, callSpanId, arguments: given }),
      policies: policies.slice(0, MAX_POLICIES).map((policy) => brief(policy, NAME_BYTES)),
      path: pathOf(path),
    })),
  waits: ({ waits }) =>
    waits.items.map(({ path, reason, title, resolution, actor, durationMs, ...wait }) => ({
      ...wait,
      durationMs,
      lasted: lasted(durationMs),
      ...texts({ reason, title, resolution, actor }),
      path: pathOf(path),
    })),
}

const NAME_BYTES = 220
const TEXT_BYTES = 1_100
const MAX_POLICIES = 10
const MAX_PATH = 12

/** Returns the texts that are not null, cut to a short length. */
const texts = (all: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [[name, brief(text, TEXT_BYTES)]])),
  )

function pathOf(path: FaultsJson['failures']['items'][number]['path']): z.output<typeof placeSchema>[] {
  const shown = path.length > MAX_PATH ? [...path.slice(0, 1), ...path.slice(1 - MAX_PATH)] : path
  return shown.map(({ spanId, role, name, label, state, step, steps }) => ({
    spanId,
    ...(role === null ? {} : { role }),
    name: brief(name, NAME_BYTES),
    ...(label === '' ? {} : { label: brief(label, NAME_BYTES) }),
    ...(state === null ? {} : { state }),
    ...(step === null ? {} : { step: steps === null ? String(step) : `${String(step)} of ${String(steps)}` }),
  }))
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function lasted(milliseconds: number | null): string {
  if (milliseconds === null) return 'not recorded'
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= length) ?? ['millisecond', 1]
  const count = Math.round((milliseconds / length) * 10) / 10
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`
}
