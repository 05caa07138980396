import { type CallCosts, costKey } from '../mapping/index.js'
import { callCostsSql } from './plan-figures.js'
import { readRows, type QueryTarget } from './query.js'

/** What the model calls of traces cost whose price is known, US dollars. */
export async function readCallCosts(target: QueryTarget, traceIds: readonly string[]): Promise<CallCosts> {
  const rows = await readRows<{ traceId: string; spanId: string; costUsd: number }>(
    target,
    callCostsSql(target.database),
    {
      traceIds: [...traceIds],
    },
  )
  return new Map(rows.map(({ costUsd, ...span }) => [costKey(span), costUsd]))
}
