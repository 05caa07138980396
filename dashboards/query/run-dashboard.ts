import type { Frame } from './frame.js'
import type { DashboardModel, VariableModel } from './model.js'
import { type DataSource, runQuery } from './run-query.js'
import { intervalMs, type TimeRange } from './time-range.js'
import { ALL, type VariableValue } from './variables.js'

/** An executed query of a variable or of a panel. */
export interface QueryRun {
  readonly of: string
  readonly panel?: number
  readonly sql: string
  readonly frame: Frame
  readonly milliseconds: number
}

/** The values of a dashboard's variables, and the results of its queries. */
export interface DashboardRun {
  readonly variables: readonly VariableValue[]
  readonly queries: readonly QueryRun[]
}

// The number of points of a panel without a maximum; it fits a panel that is half as wide as a page.
const PANEL_POINTS = 600

/**
 * Opens a dashboard as Grafana does: resolves its variables in order, then runs every panel's queries.
 *
 * @param chosen values of variables by name; other variables default to "All", or else to their first option.
 */
export async function runDashboard(
  source: DataSource,
  dashboard: DashboardModel,
  range: TimeRange,
  chosen: Readonly<Record<string, string>> = {},
): Promise<DashboardRun> {
  const variables: VariableValue[] = []
  const queries: QueryRun[] = []
  for (const variable of dashboard.templating.list) {
    const options = await variableOptions(source, variable, variables, range, queries)
    variables.push({ name: variable.name, options, value: chosen[variable.name] ?? initialValue(variable, options) })
  }
  for (const panel of dashboard.panels) {
    const context = { range, intervalMs: intervalMs(range, panel.maxDataPoints ?? PANEL_POINTS, panel.interval) }
    for (const target of panel.targets ?? []) {
      const run = await runQuery(source, target, variables, context)
      queries.push({ of: `${panel.title} (${panel.type}) ${target.refId}`, panel: panel.id, ...run })
    }
  }
  return { variables, queries }
}

async function variableOptions(
  source: DataSource,
  variable: VariableModel,
  before: readonly VariableValue[],
  range: TimeRange,
  queries: QueryRun[],
): Promise<readonly string[]> {
  if (variable.type === 'custom') return String(variable.query).split(',')
  if (variable.type !== 'query') return []
  const { query } = variable
  if (typeof query !== 'object') throw new Error(`The variable ${variable.name} has no query with rawSql.`)
  const context = { range, intervalMs: intervalMs(range, PANEL_POINTS) }
  const run = await runQuery(source, { refId: variable.name, rawSql: query.rawSql, format: 1 }, before, context)
  queries.push({ of: `variable ${variable.name}`, ...run })
  return (run.frame.fields[0]?.values ?? []).map(String)
}

function initialValue(
  { name, type, includeAll, current }: VariableModel,
  options: readonly string[],
): string | string[] {
  if (includeAll) return [ALL]
  if (type !== 'query') return typeof current?.value === 'string' ? current.value : ''
  const [first] = options
  if (first === undefined) throw new Error(`The variable ${name} has no options.`)
  return first
}
