import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { stateAt } from '../row-tables/index.js'
import { type FinalSpan, keyOf } from './final-span.js'

interface PlanRow {
  readonly traceId: string
  readonly spanId: string
  readonly headline: string
  readonly waits: boolean
  /** Now for a plan that waits, otherwise its last sign of life, Unix nanoseconds. */
  readonly until: string
}

/**
 * Reads the outermost plans of traces, and returns a function that adds to their spans what a reader needs to know
 * first. The span of a plan that waits lasts until now, and an open one until the last sign of life of the plan.
 */
export async function planRemarks(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<(span: FinalSpan) => FinalSpan> {
  const sql = querySql('plan_remarks', { database: target.database, state: stateAt('now64(9)') })
  const rows = await readRows<PlanRow>(target, sql, { traceIds: [...traceIds] })
  const plans = new Map(rows.map((row) => [keyOf(row.traceId, row.spanId), row]))
  return (span) => {
    const plan = plans.get(keyOf(span.traceId, span.spanId))
    if (!plan) return span
    const until = BigInt(plan.until)
    const isLonger = (span.isOpen === true || plan.waits) && until > span.endTimeUnixNano
    return {
      ...span,
      remarks: plan.headline.split('\n').filter(Boolean),
      endTimeUnixNano: isLonger ? until : span.endTimeUnixNano,
    }
  }
}
