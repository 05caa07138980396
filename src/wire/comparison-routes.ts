import { z } from 'zod'

import { DIFFERENCES, ROW_KINDS, UNIT_KINDS } from '../mapping/index.js'
import { STATES } from '../semconv/index.js'
import { countParameter } from './query-parameters.js'
import { json, type RouteTable, TAGGED } from './route-table.js'

const count = z.number().int()
const text = z.string().nullable()
const number = z.number().nullable()
const state = z.enum(STATES)
const spanId = text.describe('The span; null for a step that has not begun, or where there is none.')
const differences = z
  .array(z.enum(DIFFERENCES))
  .describe('In what the two differ themselves, whatever is below them; empty of what only one plan has.')
const path = z.string().describe('Where it stands, in words.')

const sideSchema = z
  .object({
    spanId: spanId.describe('The span, of several the first; null for a step that has not begun.'),
    action: z.string().describe('The tool, guardrail, agent or sub-plan, or the title of the step.'),
    detail: text.describe(
      'The arguments of a tool call, the model of a call, the steps of a planning, what a person was asked, whose step it is: the part in which the two differ.',
    ),
    state: state.nullable(),
    error: text,
    risk: number.describe('The highest risk that a guardrail saw in it.'),
    safe: z.boolean().nullable().describe('What a guardrail found.'),
    taken: z.boolean().nullable().describe('Whether a tool call was made, or the action that a guardrail judged.'),
    answer: text.describe('What a person answered.'),
    tokens: number.describe('The sum over all that the row stands for, as cost and duration.'),
    costUsd: number.describe('What those of its model calls cost whose price is known, US dollars.'),
    durationMs: number.describe('Null where its times are not known.'),
  })
  .nullable()

const rowSchema = z.object({
  kind: z
    .enum(ROW_KINDS)
    .describe(
      'same: one or several after each other that did the same, with all below them. within: did the same, but something below differs, which the rows behind it tell. changed: differs itself. base, other: what only that plan has, with all below it.',
    ),
  role: z
    .enum(UNIT_KINDS)
    .nullable()
    .describe('What it is: a span of this role, or a step of the plan; null of several.'),
  depth: count.describe('How deep it stands; the plan itself is 0.'),
  path,
  units: count.describe('How many steps, cycles, calls and so on the row stands for.'),
  differences,
  base: sideSchema,
  other: sideSchema,
})

const placesSchema = {
  path,
  base: z.string().describe('What the first plan did there, in words.'),
  other: z.string().describe('What the other plan did there, in words.'),
  baseSpanId: spanId,
  otherSpanId: spanId,
}

const totalsSchema = {
  state,
  steps: count.describe('The steps of the plan as it was last made.'),
  agents: count,
  cycles: count,
  modelCalls: count,
  toolCalls: count.describe('With those that guardrails stopped.'),
  waits: count,
  subPlans: count,
  errors: count.describe('Ended spans with an error, its sub-plans’ included.'),
  inputTokens: number,
  outputTokens: number,
  tokens: number,
  costUsd: number.describe('What those of its model calls cost whose price is known, US dollars.'),
  durationMs: number.describe('Null where its times are not known.'),
  risk: number.describe('The highest risk that a guardrail saw.'),
  judged: count.describe('How many actions guardrails judged.'),
  unsafe: count.describe('How many of them they found not safe.'),
  unsafeStopped: count.describe('Of those the ones that were not taken.'),
  unsafeTaken: count.describe('Of those the ones that were taken all the same.'),
}

const comparedPlanSchema = z.object({
  id: z.string().describe('As requested.'),
  traceId: z.string(),
  dialect: text.describe('The imported record’s dialect; null on a live plan.'),
  source: text.describe('The imported record’s source; null on a live plan.'),
  title: text,
  startTime: z.string().describe('ISO 8601 in UTC.'),
  ...totalsSchema,
})
export type ComparedPlan = z.output<typeof comparedPlanSchema>

const pairSchema = z.object({
  other: count.describe('Which of the plans is compared with the first one.'),
  isSame: z
    .boolean()
    .describe(
      'Both took the same steps and made the same calls with the same arguments, and the same came of them: states, errors, verdicts and answers of people. Tokens, costs, times, risk scores and what models and tools said may differ.',
    ),
  counts: z.object({
    same: count.describe('Units that are the same in both.'),
    changed: count.describe('Units that stand at one place and differ.'),
    base: count.describe('Units that only the first plan has.'),
    other: count.describe('Units that only the other plan has.'),
  }),
  firstDivergence: z
    .object({ ...placesSchema, differences })
    .nullable()
    .describe('Where the two part, in the order in which things happened.'),
  earlierResult: z
    .object(placesSchema)
    .nullable()
    .describe('The first tool call before that which was the same in both and answered otherwise.'),
  rowCount: count,
  rows: z.array(rowSchema).describe('In the order of the plans, starting with the requested row.'),
  nextFrom: count.nullable().describe('The `from` of the rows behind them; null where there are no more.'),
})

/** The response of `GET /api/compare`. */
export const comparisonSchema = z.object({
  plans: z.array(comparedPlanSchema).describe('In the requested order; the first is the base.'),
  comparisons: z.array(pairSchema).describe('The first plan beside each of the others.'),
})

/** How two plans differ. */
export type ComparisonJson = z.output<typeof comparisonSchema>

/** The maximum number of plans to compare. */
const MAX_PLANS = 8
/** The rows of a comparison that are returned by default. */
export const DEFAULT_ROWS = 200

const which = (what: string) =>
  z.array(z.string()).exactOptional().describe(`${what}, one for each id in order; an empty value selects any.`)

/** The parameters of `GET /api/compare`. */
export const COMPARE_QUERY = z.strictObject({
  id: z
    .array(z.string().min(1))
    .min(2, 'name two plans or more, as id=…&id=…')
    .max(MAX_PLANS)
    .prefault([])
    .describe(`The ids of 2 to ${String(MAX_PLANS)} plans, or of the steps of agents; the first is the base.`),
  trace: which('The traces of the records'),
  source: which('The sources of the imports'),
  from: z.coerce.number().int().min(0).exactOptional().describe('The first row of each comparison, 0 by default.'),
  limit: countParameter
    .exactOptional()
    .describe(`1 to 1000 rows of each comparison, ${String(DEFAULT_ROWS)} by default.`),
})

export const COMPARISON_ROUTES = {
  'GET /api/compare': {
    scope: 'read',
    client: ['compare'],
    summary: 'Compares the first plan with each of the others: what they did, the outcome, and the cost.',
    query: COMPARE_QUERY,
    answers: { 200: json('The comparison.', comparisonSchema, ['etag']), ...TAGGED },
  },
} as const satisfies RouteTable
