import type { PlanJson } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { endpointOption, resolveEndpoint, sinceTime, wholeNumber } from '../options.js'
import { createRecordsClient } from '../records-client.js'
import { isTerminal, note, print, terminalWidth } from '../terminal.js'
import { planLines, planTable } from './plan-table.js'

/** `planspan list`: lists the plans in the store, newest first. */
export const command = defineCommand({
  options: {
    all: { type: 'boolean', description: 'Every generation of an imported record, not the deciding one alone' },
    dialect: {
      type: 'string',
      valueHint: 'DIALECT',
      description: 'Plans with records of this dialect alone: its imports, and live plans for plan-execution',
    },
    source: { type: 'string', valueHint: 'NAME', description: 'Imports of this source alone' },
    state: {
      type: 'string',
      valueHint: 'STATE,…',
      description: 'Plans in these states alone, such as running,waiting',
    },
    since: {
      type: 'string',
      valueHint: 'T',
      description: 'Plans that started then or later: 2026-03-04, 2026-03-04T12:00:00Z, 90m, 24h or 7d ago',
    },
    trace: { type: 'string', valueHint: 'TRACE_ID', description: 'Plans of this trace alone' },
    agent: { type: 'string', valueHint: 'NAME', description: 'Plans with this agent' },
    tool: { type: 'string', valueHint: 'NAME', description: 'Plans with a call of this tool' },
    model: { type: 'string', valueHint: 'NAME', description: 'Plans with a call of this model' },
    service: { type: 'string', valueHint: 'NAME', description: 'Plans with spans of this service' },
    conversation: { type: 'string', valueHint: 'ID', description: 'Plans of this conversation or session' },
    text: { type: 'string', valueHint: 'TEXT', description: 'Plans with this text in their title or request' },
    limit: { type: 'string', valueHint: 'N', default: '50', description: 'At most so many' },
    json: { type: 'boolean', description: 'A line of JSON a plan' },
    ...endpointOption,
  },
  async run({ options }) {
    const limit = wholeNumber('limit', options.limit, { min: 1, max: 1_000_000 }) ?? 50
    const endpoint = resolveEndpoint(options.endpoint)
    const { plans, hasMore } = await createRecordsClient(endpoint).list(
      {
        dialect: options.dialect,
        source: options.source,
        trace: options.trace,
        agent: options.agent,
        tool: options.tool,
        model: options.model,
        service: options.service,
        conversation: options.conversation,
        text: options.text,
        state: options.state,
        since: options.since === undefined ? undefined : sinceTime(options.since, Date.now()),
        all: options.all ? 'true' : undefined,
      },
      limit,
    )
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
