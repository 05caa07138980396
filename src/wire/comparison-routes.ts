import { z } from 'zod'

import { DIFFERENCES, ROW_KINDS, UNIT_KINDS } from '../mapping/index.js'
import { STATES } from '../semconv/index.js'
import { countParameter } from './query-parameters.js'
import { json, type RouteTable, TAGGED } from './route-table.js'

const count = z.number().int()
const text = z.string().nullable()
const number = z.number().nullable()
const state = z.enum(STATES)
const spanId = text.describe('The span; null for a step that has not begun, or if there is no span.')
const differences = z
  .array(z.enum(DIFFERENCES))
  .describe(
    'How the two units themselves differ, regardless of their descendants; empty for a unit that only one plan has.',
  )
const path = z.string().describe('The position in the plan, in words.')

const sideSchema = z
  .object({
    spanId: spanId.describe('The first span of the row; null for a step that has not begun.'),
    action: z.string().describe('The tool, guardrail, agent or sub-plan, or the title of the step.'),
    detail: text.describe(
      'The arguments of a tool call, the model of a model call, the steps of a planning, the question to a person, or the agent of a step; only the part that differs.',
    ),
    state: state.nullable(),
    error: text,
    risk: number.describe('The highest risk that a guardrail reported in the unit.'),
    safe: z.boolean().nullable().describe('The verdict of a guardrail.'),
    taken: z
      .boolean()
      .nullable()
      .describe('Whether the tool call, or the action that the guardrail judged, was executed.'),
    answer: text.describe('The answer of a person.'),
    tokens: number.describe('The sum over all units of the row. Cost and duration are sums as well.'),
    costUsd: number.describe('The cost of the model calls with a known price, US dollars.'),
    durationMs: number.describe('Null if the times are unknown.'),
  })
  .nullable()

const rowSchema = z.object({
  kind: z
    .enum(ROW_KINDS)
    .describe(
      'same: one or several consecutive units that are the same, including all descendants. within: the unit is the same, but a descendant differs; the following rows show how. changed: the unit itself differs. base, other: only this plan has the unit and its descendants.',
    ),
  role: z
    .enum(UNIT_KINDS)
    .nullable()
    .describe('The kind of the unit: the role of a span, or a step of the plan; null for a row of several units.'),
  depth: count.describe('The depth in the tree; 0 for the plan itself.'),
  path,
  units: count.describe('The number of units, such as steps, cycles and calls, that the row stands for.'),
  differences,
  base: sideSchema,
  other: sideSchema,
})

const placesSchema = {
  path,
  base: z.string().describe('The action of the first plan, in words.'),
  other: z.string().describe('The action of the other plan, in words.'),
  baseSpanId: spanId,
  otherSpanId: spanId,
}

const totalsSchema = {
  state,
  steps: count.describe('The number of steps in the latest version of the plan.'),
  agents: count,
  cycles: count,
  modelCalls: count,
  toolCalls: count.describe('Calls that guardrails stopped do not count.'),
  waits: count,
  subPlans: count,
  failures: count.describe('The number of original failures, as in lists, including those of sub-plans.'),
  inputTokens: number,
  outputTokens: number,
  tokens: number,
  costUsd: number.describe('The cost of the model calls with a known price, US dollars.'),
  durationMs: number.describe('Null if the times are unknown.'),
  risk: number.describe('The highest risk that a guardrail reported.'),
  judged: count.describe('The number of actions that guardrails judged.'),
  unsafe: count.describe('The number of judged actions that guardrails found unsafe.'),
  unsafeStopped: count.describe('The number of unsafe actions that were not executed.'),
  unsafeTaken: count.describe('The number of unsafe actions that were executed nonetheless.'),
}

const comparedPlanSchema = z.object({
  id: z.string().describe('As requested.'),
  traceId: z.string(),
  dialect: text.describe('The imported record’s dialect; null for a live plan.'),
  source: text.describe('The imported record’s source; null for a live plan.'),
  title: text,
  startTime: z.string().describe('ISO 8601 in UTC.'),
  ...totalsSchema,
})
export type ComparedPlan = z.output<typeof comparedPlanSchema>

const pairSchema = z.object({
  other: count.describe('The index in `plans` of the plan that is compared with the first plan.'),
  isSame: z
    .boolean()
    .describe(
      'Whether both plans took the same steps and made the same calls with the same arguments and the same outcome: states, errors, verdicts and answers of people. Tokens, costs, times, risk scores, and outputs of models and tools may differ.',
    ),
  counts: z.object({
    same: count.describe('Units that are the same in both.'),
    changed: count.describe('Units at the same position that differ.'),
    base: count.describe('Units that only the first plan has.'),
    other: count.describe('Units that only the other plan has.'),
  }),
  firstDivergence: z
    .object({ ...placesSchema, differences })
    .nullable()
    .describe('The first point at which the two plans differ, in order of time.'),
  earlierResult: z
    .object(placesSchema)
    .nullable()
    .describe('The first tool call before the divergence that is the same in both plans but has different results.'),
  rowCount: count,
  rows: z.array(rowSchema).describe('In the order of the plans, starting with the requested row.'),
  nextFrom: count.nullable().describe('The `from` of the next rows; null after the last row.'),
})

/** The response of `GET /api/compare`. */
export const comparisonSchema = z.object({
  plans: z.array(comparedPlanSchema).describe('In the requested order; the first is the base.'),
  comparisons: z.array(pairSchema).describe('The comparisons of the first plan with each of the others.'),
})

/** A comparison of plans. */
export type ComparisonJson = z.output<typeof comparisonSchema>

/** The maximum number of plans to compare. */
const MAX_PLANS = 8
/** The number of rows of a comparison that are returned by default. */
export const DEFAULT_ROWS = 200

const perPlan = (what: string) =>
  z.array(z.string()).exactOptional().describe(`${what}, one for each id in order; an empty value selects any.`)

/** The parameters of `GET /api/compare`. */
export const COMPARE_QUERY = z.strictObject({
  id: z
    .array(z.string().min(1))
    .min(2, 'at least two plans are required, as id=…&id=…')
    .max(MAX_PLANS)
    .prefault([])
    .describe(`The ids of 2 to ${String(MAX_PLANS)} plans, or of the steps of agents; the first is the base.`),
  trace: perPlan('The traces of the records'),
  source: perPlan('The sources of the imports'),
  from: z.coerce
    .number()
    .int()
    .min(0)
    .exactOptional()
    .describe('The index of the first row of each comparison, 0 by default.'),
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
