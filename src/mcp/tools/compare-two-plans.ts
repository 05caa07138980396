import { z } from 'zod'

import type { ComparisonJson } from '../../client/index.js'
import { brief } from '../answer-room.js'
import { defineTool } from '../define-tool.js'

/** What the comparison says, its long texts cut. */
const told = z.record(z.string(), z.unknown())

/** Two plans side by side. */
export const comparePlans = defineTool({
  name: 'compare_plans',
  title: 'Compare two plans',
  description:
    'Sets two plans side by side, such as a run that went well and one that did not: what both did, aligned by step and then ' +
    'by call; where they part first; the first tool call before that which was the same and answered otherwise; states, ' +
    'errors, risk, tokens, cost and time of each. Rows: same (several alike are one row), within (something below differs), ' +
    'changed (differences says in what), base or other (only one plan has it). For the rows behind them ask with from=nextFrom. ' +
    'What a span says in full is in read_span.',
  input: z.object({
    planId: z.string().min(1).describe('The plan to compare with: the base.'),
    otherPlanId: z.string().min(1).describe('The plan that is set beside it.'),
    trace: z.string().optional().describe('Of several records with the base’s id, the one of this traceId.'),
    otherTrace: z.string().optional().describe('The same for the other plan.'),
    from: z.number().int().min(0).default(0).describe('The first row.'),
    limit: z.number().int().min(1).max(200).default(60).describe('How many rows, as far as one answer holds them.'),
  }),
  output: z.object({
    plans: z.array(told).describe('What each plan comes to; the first is the base.'),
    isSame: z.boolean().describe('Both did the same, and the same came of it; tokens, cost and time aside.'),
    counts: z
      .record(z.string(), z.number())
      .describe('How many steps, cycles and calls are the same, changed, or in one alone.'),
    firstDivergence: told.nullable(),
    earlierResult: told.nullable(),
    rows: z.array(told),
    rowCount: z.number().int().describe('How many rows there are in all.'),
    nextFrom: z.number().int().nullable(),
  }),
  async run({ planId, otherPlanId, trace, otherTrace, from, limit }, { client, room, signal }) {
    const ids = [
      { planId, trace },
      { planId: otherPlanId, trace: otherTrace },
    ]
    const { plans, comparisons } = await client.compare(ids, { from, limit }, { signal })
    const [pair] = comparisons
    if (!pair) throw new Error('The server compared nothing.')
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

/** What is said, its long texts cut; what is not told is left out. */
const withoutNulls = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      value === null ? [] : [[name, typeof value === 'string' ? brief(value, TEXT_BYTES) : value]],
    ),
  )
