import { append } from '../append.js'
import { pageFiguresSql } from './plan-figures.js'
import { planKey } from './plan-key.js'
import { querySql, readRows, type QueryTarget } from './query.js'

/** What a plan comes to, or a part of it. */
export interface PlanFigures {
  readonly spans: number
  readonly errors: number
  readonly failures: number
  readonly tokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  /** US dollars. */
  readonly costUsd: number | undefined
  readonly risk: number | undefined
  /** The spans below which a guardrail found an action unsafe. */
  readonly unsafeBelow: readonly string[]
}

export const NO_FIGURES: PlanFigures = {
  spans: 0,
  errors: 0,
  failures: 0,
  tokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  costUsd: undefined,
  risk: undefined,
  unsafeBelow: [],
}

/** A row of `queries/page_figures.sql`. */
interface Row {
  readonly traceId: string
  readonly planId: string
  readonly rootPlanId: string
  readonly spans: number | string
  readonly failed: readonly (readonly [spanId: string, parentSpanId: string])[]
  readonly tokens: number | string
  /** Billionths of a US dollar; -1 for none. */
  readonly cost: number | string
  readonly inputTokens: number | string
  readonly outputTokens: number | string
  readonly cacheReadTokens: number | string
  readonly risk: number | null
  readonly unsafeBelow: readonly string[]
}

/** The figures of each plan of some traces, with its sub-plans, and by '' of the whole trace. */
export async function readFigures(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, PlanFigures>> {
  const [own, all] = await Promise.all([readOwn(target, traceIds), readWithForeign(target, traceIds)])
  const replaced = new Set(all.map(({ traceId }) => traceId))
  const parts = new Map<string, Row[]>()
  for (const row of [...own.filter(({ traceId }) => !replaced.has(traceId)), ...all]) {
    for (const planId of new Set(['', row.planId, row.rootPlanId])) {
      const key = planKey({ traceId: row.traceId, planId })
      const known = parts.get(key)
      if (known) known.push(row)
      else parts.set(key, [row])
    }
  }
  return new Map([...parts].map(([key, rows]) => [key, sumOf(rows)]))
}

const readOwn = (target: QueryTarget, traceIds: readonly string[]): Promise<Row[]> =>
  readRows<Row>(target, pageFiguresSql(target.database, 'own'), { traceIds })

/** Of the traces that have spans of other instrumentations, which few may: theirs are asked for where there are any. */
async function readWithForeign(target: QueryTarget, traceIds: readonly string[]): Promise<Row[]> {
  const { database } = target
  const found = await readRows<{ traceId: string }>(target, querySql('foreign_among', { database }), { traceIds })
  if (found.length === 0) return []
  return readRows<Row>(target, pageFiguresSql(database, 'all'), { traceIds: found.map(({ traceId }) => traceId) })
}

function sumOf(rows: readonly Row[]): PlanFigures {
  const sum = (field: 'spans' | 'tokens' | 'inputTokens' | 'outputTokens' | 'cacheReadTokens'): number =>
    rows.reduce((total, row) => total + Number(row[field]), 0)
  const failed = new Set(rows.flatMap((row) => row.failed.map(([spanId]) => spanId)))
  const above = new Set(rows.flatMap((row) => row.failed.map(([, parentSpanId]) => parentSpanId)))
  const costs = rows.map(({ cost }) => Number(cost)).filter((cost) => cost >= 0)
  const risks = rows.flatMap(({ risk }) => (risk === null ? [] : [risk]))
  const unsafeBelow: string[] = []
  for (const row of rows) append(unsafeBelow, row.unsafeBelow)
  return {
    spans: sum('spans'),
    errors: failed.size,
    failures: [...failed].filter((spanId) => !above.has(spanId)).length,
    tokens: sum('tokens'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    costUsd: costs.length === 0 ? undefined : costs.reduce((a, b) => a + b) / 1e9,
    risk: risks.length === 0 ? undefined : risks.reduce((a, b) => Math.max(a, b)),
    unsafeBelow,
  }
}
