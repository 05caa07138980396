import { readRecord } from '../collector/two-roads.js'
import { execute } from '../support/clickhouse.js'
import { TOOLS_A_PLAN, type AgentsReport } from './agents.js'
import type { EnduranceServer } from './endurance-server.js'

const READERS = 4

/** The stored part of the acknowledged data. */
export interface Tally {
  readonly lost: number
  readonly doubled: number
}

/** The spans of a service, from the view of spans. */
export async function tallySpans(
  { clickhouseUrl }: EnduranceServer,
  service: string,
  acknowledged: number,
): Promise<Tally> {
  const [rows, spans] = await numbers(
    clickhouseUrl,
    `SELECT count(), uniqExact(TraceId, SpanId) FROM otel.spans WHERE ServiceName = '${service}'`,
  )
  return { lost: Math.max(0, acknowledged - spans), doubled: rows - spans }
}

/** Plans with a common name prefix and their tool calls, from the views and from each record. */
export async function tallyPlans(
  { clickhouseUrl, line }: EnduranceServer,
  prefix: string,
  { plans }: AgentsReport,
): Promise<Tally> {
  const [rows, completed, tools, calls] = await numbers(
    clickhouseUrl,
    `SELECT
      (SELECT count() FROM otel.plans WHERE startsWith(PlanId, '${prefix}')),
      (SELECT uniqExactIf(PlanId, State = 'completed') FROM otel.plans WHERE startsWith(PlanId, '${prefix}')),
      (SELECT count() FROM otel.tool_calls WHERE startsWith(PlanId, '${prefix}')),
      (SELECT uniqExact(SpanId) FROM otel.tool_calls WHERE startsWith(PlanId, '${prefix}'))`,
  )
  const waiting = [...plans]
  let whole = 0
  const read = async (): Promise<void> => {
    for (let planId = waiting.pop(); planId !== undefined; planId = waiting.pop()) {
      const { state, verdict } = await readRecord(line, planId)
      if (state === 'completed' && verdict === 'complete') whole++
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const missing = [completed, calls / TOOLS_A_PLAN, whole].map((found) => plans.length - found)
  return { lost: Math.max(...missing), doubled: Math.max(0, rows - plans.length, tools - calls) }
}

async function numbers(url: string, query: string): Promise<[number, number, number, number]> {
  const [a = 0, b = 0, c = 0, d = 0] = (await execute(url, query)).trim().split('\t').map(Number)
  return [a, b, c, d]
}
