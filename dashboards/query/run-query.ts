import { type Frame, type JsonCompact, longToWide, toFrame } from './frame.js'
import { expandMacros, type MacroContext } from './macros.js'
import { applyConditionalAll, interpolateVariables, type VariableValue } from './variables.js'

/** The configuration of a data source. */
export interface DataSource {
  /** http://user:password@host:port */
  readonly url: string
  readonly database: string
}

/** A query of a panel, a variable or an alert rule, as in the model. */
export interface Query {
  readonly refId: string
  readonly rawSql: string
  /** 0 time series, 1 table, 3 traces. */
  readonly format: number
}

/** Expands a query as Grafana's front end and the plugin's back end do before they send it to ClickHouse. */
export function expandQuery(rawSql: string, variables: readonly VariableValue[], context: MacroContext): string {
  return expandMacros(interpolateVariables(applyConditionalAll(rawSql, variables), variables), context)
}

/** Runs a query as the plugin does. Returns the frames of the panel, and the time that ClickHouse took. */
export async function runQuery(
  source: DataSource,
  query: Query,
  variables: readonly VariableValue[],
  context: MacroContext,
): Promise<{ readonly frame: Frame; readonly sql: string; readonly milliseconds: number }> {
  const sql = expandQuery(query.rawSql, variables, context)
  const answer = await select(source, sql)
  const frame = toFrame(query.refId, answer)
  return {
    sql,
    frame: query.format === 0 ? longToWide(frame) : frame,
    milliseconds: answer.statistics.elapsed * 1000,
  }
}

async function select(
  { url, database }: DataSource,
  sql: string,
): Promise<JsonCompact & { readonly statistics: { readonly elapsed: number } }> {
  const { origin, username, password } = new URL(url)
  const response = await fetch(`${origin}/?${new URLSearchParams({ database, max_execution_time: '60' })}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: `${sql}\nFORMAT JSONCompact`,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${text.trim()}\n${sql}`)
  return JSON.parse(text)
}
