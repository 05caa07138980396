import { append } from '../../base/append.js'
import type { ListQuery, PlanJson } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { wholeNumber } from '../option-values.js'
import { filtersOf, listFilters, planFilters } from '../filter-options.js'
import { connect, type Connection } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { isTerminal, note, print, terminalWidth } from '../output/terminal.js'
import { facetLines, facetTable, planLines, planTable } from './plan-table.js'

const LIMIT = 50
const MAX_PAGE = 1000

/** `planspan list`: lists the plans in the store, newest first, or counts them by facet. */
export const command = defineCommand({
  options: {
    ...planFilters,
    ...listFilters,
    limit: {
      type: 'string',
      valueHint: 'N',
      description: `The largest number of plans (default: ${String(LIMIT)}), or of values of each facet (default: 100)`,
    },
    facets: {
      type: 'boolean',
      description: 'The number of plans, in total and by state, workflow, agent, tool, model and so on',
    },
    json: { type: 'boolean', description: 'One JSON line per plan; with --facets one document' },
    ...serverOptions,
  },
  async run({ options }) {
    const max = options.facets ? MAX_PAGE : 1_000_000
    const limit = wholeNumber('limit', options.limit, { min: 1, max })
    const query = filtersOf(options)
    const others = Object.keys(listFilters).filter((name) => query[name as keyof typeof listFilters] !== undefined)
    if (options.facets && others.length > 0) {
      throw new PlanspanError('usage', `--facets counts all matching plans: omit --${others.join(', --')}.`)
    }
    const connection = await connect(options)
    const json = options.json === true
    return options.facets
      ? listFacets(connection, { ...query, limit }, json)
      : listPlans(connection, { ...query, limit: limit ?? LIMIT }, { json, withTraces: options.all === true })
  },
})

async function listPlans(
  { client, server }: Connection,
  { limit, ...query }: ListQuery & { limit: number },
  form: { json: boolean; withTraces: boolean },
): Promise<ExitCode> {
  const plans: PlanJson[] = []
  let hasMore = false
  for await (const { records, nextCursor } of client.pages({ ...query, limit: Math.min(MAX_PAGE, limit) })) {
    append(plans, records)
    hasMore = nextCursor !== null || plans.length > limit
    if (plans.length >= limit) break
  }
  if (plans.length === 0) return nothing(server.endpoint)
  for (const line of linesOf(plans.slice(0, limit), form)) print(line)
  if (hasMore) note(`There are more than ${String(limit)}: raise --limit to see them.`)
  return EXIT.done
}

async function listFacets({ client, server }: Connection, query: ListQuery, json: boolean): Promise<ExitCode> {
  const found = await client.facets(query)
  if (json) print(JSON.stringify(found))
  else if (found.plans > 0) for (const line of (isTerminal() ? facetTable : facetLines)(found)) print(line)
  return found.plans === 0 ? nothing(server.endpoint) : EXIT.done
}

function nothing(endpoint: string): ExitCode {
  note(`No plan at ${endpoint} matches.`)
  return EXIT.different
}

function linesOf(plans: readonly PlanJson[], { json, withTraces }: { json: boolean; withTraces: boolean }): string[] {
  if (json) return plans.map((plan) => JSON.stringify(plan))
  return isTerminal() ? planTable(plans, { width: terminalWidth(), withTraces }) : planLines(plans, { withTraces })
}
