import { z } from 'zod'

import type { FacetsQuery } from '../../client/index.js'
import { defineTool } from '../define-tool.js'
import { FILTER_ARGUMENTS } from './find-plans.js'

/** Counts plans by facet. */
export const countPlans = defineTool({
  name: 'count_plans',
  title: 'Count plans',
  description:
    'Counts plans by state, workflow, agent, tool, model, error class, unsafe actions, risk, cost, service, conversation, ' +
    'source, dialect and convention. Use the returned names as filters of find_plans. Accepts the same filters as find_plans, to count only matching plans. Values with the most ' +
    'plans are listed first. To see other values, raise limit or add filters.',
  input: z.object({
    ...FILTER_ARGUMENTS,
    limit: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(20)
      .describe('The maximum number of values per facet. Fewer are returned if the answer would be too large.'),
  }),
  output: z.object({
    plans: z.number().int().describe('The number of plans that match the filters.'),
    facets: z.record(z.string(), z.array(z.object({ value: z.string(), plans: z.number().int() }))),
    cut: z.array(z.string()).describe('The facets whose values do not all fit into the answer.'),
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
