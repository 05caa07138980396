import type { CommandLine, Options } from './command.js'
import { sinceTime } from './options.js'

/** The options by which plans are chosen, as GET /api/records names its parameters. */
export const planFilters = {
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
} as const satisfies Options

/** The filters as parameters of the server. Throws `usage`. */
export function filterParameters(
  options: CommandLine<typeof planFilters>['options'],
): Record<string, string | undefined> {
  const parameters = Object.keys(planFilters).map((name) => {
    const value = options[name as keyof typeof planFilters]
    return [name, typeof value === 'boolean' ? String(value) : value]
  })
  const { since } = options
  return { ...Object.fromEntries(parameters), since: since === undefined ? undefined : sinceTime(since, Date.now()) }
}
