import { isOver, STATES } from '../../semconv/index.js'
import { PLAN_DURATION, PLAN_STATE, planCondition, type PlanSelection } from './plan-filters.js'
import { literal } from '../client/sql-file.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'

export interface TotalsOptions extends PlanSelection {
  /** The maximum number of intervals. @default 60 */
  buckets?: number
}

/** The totals of some plans. */
interface Totals {
  readonly plans: number
  /** Completed, failed, cancelled and interrupted plans. */
  readonly ended: number
  readonly completed: number
  readonly failed: number
  readonly costUsd: number
  readonly tokens: number
  readonly p95DurationMs: number | null
  /** Plans in which an unsafe action was executed. */
  readonly unsafeTaken: number
}

export interface PlanTotals extends Totals {
  readonly bucketMs: number
  /** The totals of each interval with plans, oldest first; times in milliseconds since the Unix epoch. */
  readonly course: readonly (Totals & { readonly startMs: number })[]
}

interface TotalsRow extends Totals {
  readonly startMs: string
  readonly first: string
  readonly last: string
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The lengths of intervals that people expect. Longer ones are whole weeks. */
const LENGTHS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7].map((days) => days * DAY),
]

/** Returns the shortest usual length with which a number of intervals cover a range. */
export function bucketLength(rangeMs: number, buckets: number): number {
  const least = rangeMs / Math.max(1, buckets - 1)
  return LENGTHS.find((length) => length >= least) ?? Math.ceil(least / (7 * DAY)) * 7 * DAY
}

/** Sums the selected plans, in total and by the intervals in which they started. */
export async function sumPlans(target: QueryTarget, options: TotalsOptions = {}): Promise<PlanTotals> {
  const { buckets = 60, ...selection } = options
  const { where, params } = planCondition(selection)
  const sql = querySql('plan_totals', {
    database: target.database,
    state: PLAN_STATE,
    duration: PLAN_DURATION,
    over: STATES.filter(isOver).map(literal).join(', '),
    where,
  })
  await target.indexed?.()
  const [whole] = await readRows<TotalsRow>(target, sql, { ...params, bucketMs: 0 })
  if (!whole) return { ...NOTHING, bucketMs: 0, course: [] }
  const bucketMs = bucketLength(Number(whole.last) - Number(whole.first), buckets)
  const rows = await readRows<TotalsRow>(target, sql, { ...params, bucketMs })
  return {
    ...totalsOf(whole),
    bucketMs,
    course: rows.map((row) => ({ startMs: Number(row.startMs), ...totalsOf(row) })),
  }
}

const NOTHING: Totals = {
  plans: 0,
  ended: 0,
  completed: 0,
  failed: 0,
  costUsd: 0,
  tokens: 0,
  p95DurationMs: null,
  unsafeTaken: 0,
}

function totalsOf(row: TotalsRow): Totals {
  const { plans, ended, completed, failed, costUsd, tokens, p95DurationMs, unsafeTaken } = row
  return { plans, ended, completed, failed, costUsd, tokens, p95DurationMs, unsafeTaken }
}
