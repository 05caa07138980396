import { defineCommand } from 'citty'

import { isOver } from '../mapping/index.js'
import type { PlanJson } from '../server/index.js'
import { formatDuration, sinceTime } from './duration.js'
import { endpointArg, resolveEndpoint } from './endpoint.js'
import { EXIT } from './exit-code.js'
import { numberOption } from './number-option.js'
import { createRecordsClient } from './records-client.js'
import { styledState } from './state-style.js'
import { alignColumns } from './table.js'
import { cut, isTerminal, note, oneLine, print, styled, terminalWidth } from './terminal.js'

const HEADINGS = ['PLAN', 'STATE', 'DIALECT', 'SOURCE', 'START', 'DURATION', 'SPANS', 'ERRORS', 'TITLE']
const STATE_COLUMN = 1
const MAX_TITLE = 200

/** `planspan list`: the plans in the store, the newest first. */
export const list = defineCommand({
  meta: { name: 'list', description: 'List the plans in the store, the newest first' },
  args: {
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
    limit: { type: 'string', valueHint: 'N', default: '50', description: 'At most so many' },
    json: { type: 'boolean', description: 'A line of JSON a plan' },
    ...endpointArg,
  },
  async run({ args }) {
    const limit = numberOption('limit', args.limit, { min: 1, max: 1_000_000 }) ?? 50
    const endpoint = resolveEndpoint(args.endpoint)
    const { plans, hasMore } = await createRecordsClient(endpoint).list(
      {
        dialect: args.dialect,
        source: args.source,
        state: args.state,
        since: args.since === undefined ? undefined : sinceTime(args.since, Date.now()),
        all: args.all ? 'true' : undefined,
      },
      limit,
    )
    if (plans.length === 0) {
      note(`No such plans at ${endpoint}.`)
      return EXIT.different
    }
    for (const line of args.json ? plans.map((plan) => JSON.stringify(plan)) : toTable(plans, args.all)) print(line)
    if (hasMore) note(`There are more than ${String(limit)}: see them with a higher --limit.`)
    return EXIT.done
  },
})

/** On a terminal with a heading, without empty columns and cut to its width; in a pipe lines alone, whole. */
function toTable(plans: readonly PlanJson[], withTrace: boolean | undefined): string[] {
  const rows = plans.map((plan) => (withTrace ? [...toRow(plan), plan.traceId] : toRow(plan)))
  if (!isTerminal()) return alignColumns(rows)
  const isShown = (_: string, column: number) => rows.some((row) => row[column] !== '-' && row[column] !== '0')
  const headings = withTrace ? [...HEADINGS, 'TRACE'] : HEADINGS
  const shown = [headings, ...rows].map((row) => row.filter(isShown))
  const [heading = '', ...lines] = alignColumns(shown)
  const width = terminalWidth()
  return [
    styled('bold', heading.slice(0, width)),
    ...lines.map((line, index) => colourState(cut(line, width), rows[index]?.[STATE_COLUMN] ?? '')),
  ]
}

const toRow = (plan: PlanJson): string[] => [
  oneLine(plan.planId),
  plan.state,
  plan.dialect ?? 'live',
  oneLine(plan.source ?? '') || '-',
  plan.startTime.slice(0, 19).replace('T', ' '),
  formatDuration(elapsedMs(plan)),
  String(plan.spans),
  String(plan.errors),
  oneLine(plan.title ?? plan.name ?? plan.request ?? '', MAX_TITLE) || '-',
]

/** A live plan that goes on has lasted until now. */
const elapsedMs = ({ live, state, startTime, durationMs }: PlanJson): number =>
  live && !isOver(state) ? Date.now() - Date.parse(startTime) : durationMs

const colourState = (line: string, state: string): string =>
  line.replace(`  ${state} `, () => `  ${styledState(state)} `)
