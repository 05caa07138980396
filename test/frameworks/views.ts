import type { Serving } from '../cli/run-cli.js'
import { execute } from '../support/clickhouse.js'
import type { Story } from './story.js'

/** The values of lists and SQL views for a trace. */
export interface Shown {
  readonly listed: readonly { readonly planId: string; readonly state: string }[]
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The called tools, and which of the calls failed. */
  readonly tools: readonly string[]
  readonly failed: readonly string[]
}

/** Queries a trace as a dashboard and the list of plans do. */
export async function shownOf({ line, clickhouse }: Serving, traceId: string): Promise<Shown> {
  const response = await fetch(`${line.url}/api/records?trace=${traceId}`)
  const { records } = (await response.json()) as { records: { planId: string; state: string }[] }
  const query = async <Row>(columns: string, view: string, only = 'true'): Promise<Row[]> => {
    const sql = `SELECT ${columns} FROM otel.${view} WHERE TraceId = '${traceId}' AND ${only} FORMAT JSONEachRow`
    const text = await execute(clickhouse.readerUrl, sql)
    return text.split('\n').flatMap((row) => (row === '' ? [] : (JSON.parse(row) as Row)))
  }
  const usage = await query<Record<string, string>>('ModelCalls, InputTokens, OutputTokens', 'plan_usage', 'IsRoot')
  const calls = await query<{ ToolName: string; State: string }>('ToolName, State', 'tool_calls')
  const sum = (column: string) => usage.reduce((all, row) => all + Number(row[column]), 0)
  return {
    listed: records.map(({ planId, state }) => ({ planId, state })),
    modelCalls: sum('ModelCalls'),
    inputTokens: sum('InputTokens'),
    outputTokens: sum('OutputTokens'),
    tools: calls.map(({ ToolName }) => ToolName).toSorted(),
    failed: calls.flatMap(({ ToolName, State }) => (State === 'failed' ? ToolName : [])).toSorted(),
  }
}

/** The expected values for a story, as far as single spans contain them. */
export function shownTruth({ agents }: Story, traceId: string): Shown {
  const turns = Object.values(agents).flatMap((agent) => agent.turns)
  const calls = Object.values(agents).flatMap(({ turns: all, tools }) =>
    all.flatMap((turn) => turn.calls.map(({ name }) => ({ name, ...tools[name] }))),
  )
  const called = calls.filter(({ handoff }) => handoff === undefined)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
  return {
    listed: [{ planId: traceId, state: 'completed' }],
    modelCalls: turns.length,
    inputTokens: sum(turns.map(({ tokens }) => tokens.input)),
    outputTokens: sum(turns.map(({ tokens }) => tokens.output)),
    tools: called.map(({ name }) => name).toSorted(),
    failed: called.flatMap(({ name, error }) => (error === undefined ? [] : name)).toSorted(),
  }
}
