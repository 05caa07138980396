import type { Serving } from '../cli/run-cli.js'
import { execute } from '../support/clickhouse.js'
import type { ToldAgent, ToldPlan } from './told.js'

/** The values of lists and SQL views for a plan. */
export interface Shown {
  readonly state: unknown
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly tools: readonly string[]
}

/** A plan of the list, which every other answer is compared with. */
export interface Listed {
  readonly planId: string
  readonly traceId: string
  readonly state: string
}

/** The plans of the given traces in the list. */
export async function listed(url: string, traceIds: readonly string[]): Promise<readonly Listed[]> {
  const plans = new Map<string, Listed>()
  for (const traceId of traceIds) {
    const response = await fetch(`${url}/api/records?trace=${traceId}`)
    const { records } = (await response.json()) as { records: Listed[] }
    for (const plan of records) plans.set(plan.planId, plan)
  }
  return [...plans.values()]
}

/** Queries with the rights of a dashboard. */
const rowsOf =
  ({ clickhouse }: Serving, traceIds: readonly string[]) =>
  async <Row>(columns: string, view: string, only = 'true'): Promise<Row[]> => {
    const traces = traceIds.map((id) => `'${id}'`).join()
    const sql = `SELECT ${columns} FROM otel.${view} WHERE TraceId IN (${traces}) AND ${only} FORMAT JSONEachRow`
    const text = await execute(clickhouse.readerUrl, sql)
    return text.split('\n').flatMap((row) => (row === '' ? [] : (JSON.parse(row) as Row)))
  }

/** The conversation of each plan. */
export async function conversationsOf(serving: Serving, traceIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsOf(serving, traceIds)<Record<string, string>>('PlanId, ConversationId', 'plans')
  return new Map(rows.map(({ PlanId = '', ConversationId = '' }) => [PlanId, ConversationId]))
}

/** The sums of the given traces in the list and in the views. */
export async function shownOf(serving: Serving, traceIds: readonly string[]): Promise<Shown> {
  const query = rowsOf(serving, traceIds)
  const states = (await listed(serving.line.url, traceIds)).map(({ state }) => state)
  const usage = await query<Record<string, string>>('ModelCalls, InputTokens, OutputTokens', 'plan_usage', 'IsRoot')
  const calls = await query<{ ToolName: string }>('ToolName', 'tool_calls')
  const sum = (column: string) => usage.reduce((all, row) => all + Number(row[column]), 0)
  return {
    state: states,
    modelCalls: sum('ModelCalls'),
    inputTokens: sum('InputTokens'),
    outputTokens: sum('OutputTokens'),
    tools: calls.map(({ ToolName }) => ToolName).toSorted(),
  }
}

/** The same sums of the records. */
export function shownBy(plans: readonly ToldPlan[]): Shown {
  const sum = (counts: readonly unknown[]) => counts.reduce<number>((all, count) => all + Number(count ?? 0), 0)
  return {
    state: plans.map(({ state }) => state),
    modelCalls: sum(plans.map(({ modelCalls }) => modelCalls)),
    inputTokens: sum(plans.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(plans.map(({ outputTokens }) => outputTokens)),
    tools: plans.flatMap(({ agents }) => toolsIn(agents)).toSorted(),
  }
}

const toolsIn = (agents: readonly ToldAgent[]): string[] =>
  agents.flatMap(({ cycles }) =>
    cycles.flatMap(({ tools }) => tools.flatMap(({ name, subPlan }) => [String(name), ...toolsIn(subPlan ?? [])])),
  )
