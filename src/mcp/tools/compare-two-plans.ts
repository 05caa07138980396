import { z } from 'zod'

import type { ComparisonJson } from '../../client/index.js'
import { brief } from '../answer-room.js'
import { defineTool } from '../define-tool.js'

/** A part of the comparison, with long texts cut. */
const part = z.record(z.string(), z.unknown())

/** Compares two plans. */
export const comparePlans = defineTool({
  name: 'compare_plans',
  title: 'Compare two plans',
  description:
    'Compares two plans, such as a successful run and a failed run. Returns their actions, aligned by step and then by call; ' +
    'the first divergence; the first earlier tool call that was identical but had a different result; and the state, errors, ' +
    'risk, tokens, cost and time of each plan. Rows are same (one row can stand for several units), within (a descendant ' +
    'differs), changed (differences lists how), base or other (only one plan has it). To read more rows, use from=nextFrom. ' +
    'Use read_span for the full content of a span.',
  input: z.object({
    planId: z.string().min(1).describe('The base plan.'),
    otherPlanId: z.string().min(1).describe('The plan to compare with the base plan.'),
    trace: z
      .string()
      .optional()
      .describe('The base plan’s traceId, to select one of several records with the same planId.'),
    otherTrace: z.string().optional().describe('The other plan’s traceId, likewise.'),
    from: z.number().int().min(0).default(0).describe('The number of rows to skip.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(60)
      .describe('The maximum number of rows. Fewer are returned if the answer would be too large.'),
  }),
  output: z.object({
    plans: z.array(part).describe('The totals of each plan; the first is the base.'),
    isSame: z
      .boolean()
      .describe('Whether both plans took the same actions with the same outcome, regardless of tokens, cost and time.'),
    counts: z
      .record(z.string(), z.number())
      .describe('The number of steps, cycles and calls that are the same, changed, or in only one plan.'),
    firstDivergence: part.nullable(),
    earlierResult: part.nullable(),
    rows: z.array(part),
    rowCount: z.number().int().describe('The total number of rows.'),
    nextFrom: z.number().int().nullable().describe('The from of the next rows; null after the last row.'),
  }),
  async run({ planId, otherPlanId, trace, otherTrace, from, limit }, { client, room, signal }) {
    const ids = [
      { planId, trace },
      { planId: otherPlanId, trace: otherTrace },
    ]
    const { plans, comparisons } = await client.compare(ids, { from, limit }, { signal })
    const [pair] = comparisons
    if (!pair) throw new Error('The server returned no comparison.')
    const { isSame, counts, rowCount } = pair
    const head = {
      plans: plans.map(withoutNulls),
      isSame,
      counts,
      firstDivergence: pair.firstDivergence && withoutNulls(pair.firstDivergence),
      earlierResult: pair.earlierResult && withoutNulls(pair.earlierResult),
    }
    room.take(head)
    const rows = room.fill(pair.rows.map(rowOf))
    const next = from + rows.length
    return { ...head, rows, rowCount, nextFrom: next < rowCount ? next : null }
  },
})

const TEXT_BYTES = 700

type Row = ComparisonJson['comparisons'][number]['rows'][number]

const rowOf = ({ base, other, ...row }: Row): Record<string, unknown> => ({
  ...withoutNulls(row),
  ...(base && { base: withoutNulls(base) }),
  ...(other && { other: withoutNulls(other) }),
})

/** Returns the values that are not null, with long texts cut. */
const withoutNulls = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      value === null ? [] : [[name, typeof value === 'string' ? brief(value, TEXT_BYTES) : value]],
    ),
  )
