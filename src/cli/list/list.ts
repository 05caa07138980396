import type { PlanJson } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { endpointOption, resolveEndpoint, wholeNumber } from '../options.js'
import { filterParameters, planFilters } from '../plan-filters.js'
import { createRecordsClient } from '../records-client.js'
import { isTerminal, note, print, terminalWidth } from '../terminal.js'
import { planLines, planTable } from './plan-table.js'

/** `planspan list`: lists the plans in the store, newest first. */
export const command = defineCommand({
  options: {
    ...planFilters,
    limit: { type: 'string', valueHint: 'N', default: '50', description: 'At most so many' },
    json: { type: 'boolean', description: 'A line of JSON a plan' },
    ...endpointOption,
  },
  async run({ options }) {
    const limit = wholeNumber('limit', options.limit, { min: 1, max: 1_000_000 }) ?? 50
    const endpoint = resolveEndpoint(options.endpoint)
    const { plans, hasMore } = await createRecordsClient(endpoint).list(filterParameters(options), limit)
    if (plans.length === 0) {
      note(`No such plans at ${endpoint}.`)
      return EXIT.different
    }
    for (const line of linesOf(plans, { json: options.json === true, withTraces: options.all === true })) print(line)
    if (hasMore) note(`There are more than ${String(limit)}: see them with a higher --limit.`)
    return EXIT.done
  },
})

function linesOf(plans: readonly PlanJson[], { json, withTraces }: { json: boolean; withTraces: boolean }): string[] {
  if (json) return plans.map((plan) => JSON.stringify(plan))
  return isTerminal() ? planTable(plans, { width: terminalWidth(), withTraces }) : planLines(plans, { withTraces })
}
