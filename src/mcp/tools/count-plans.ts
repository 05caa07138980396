import { z } from 'zod'

import type { FacetsQuery } from '../../client/index.js'
import { defineTool } from '../define-tool.js'
import { FILTER_ARGUMENTS } from './filter-arguments.js'

/** Counts plans by facet. */
export const countPlans = defineTool({
  name: 'count_plans',
  title: 'Count plans',
  description:
    'Counts plans, and how many have each state, workflow, agent, tool, model, class of error, source, dialect and ' +
    'convention: the names that find_plans takes as filters. Takes the same filters, to count among some plans alone. The ' +
    'values with the most plans come first; for others raise limit, or filter.',
  input: z.object({
    ...FILTER_ARGUMENTS,
    limit: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(20)
      .describe('How many values of each kind, as far as one answer holds them.'),
  }),
  output: z.object({
    plans: z.number().int().describe('How many plans there are with these filters.'),
    facets: z.record(z.string(), z.array(z.object({ value: z.string(), plans: z.number().int() }))),
    cut: z.array(z.string()).describe('Of which kinds one answer does not hold all the values that were asked for.'),
  }),
  async run(asked, { client, room, signal }) {
    const { plans, facets } = await client.facets(asked as FacetsQuery, { signal })
    const kinds = Object.entries(facets)
    const counts: Record<string, { value: string; plans: number }[]> = {}
    const cut: string[] = []
    for (const [at, [kind, values]] of kinds.entries()) {
      const shown = room.fill(values, 1 / (kinds.length - at))
      counts[kind] = shown
      if (shown.length < values.length) cut.push(kind)
    }
    return { plans, facets: counts, cut }
  },
})
