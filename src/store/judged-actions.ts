import type { PlanSummary } from './plan-summary.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { risksOfTraces } from './risks-of-traces.js'

/** How many actions of a plan guardrails judged and found unsafe, and what came of these, where that is known. */
export interface JudgedActions {
  readonly judged: number
  readonly unsafe: number
  readonly unsafeStopped: number
  readonly unsafeTaken: number
}

interface Row extends JudgedActions {
  readonly traceId: string
  readonly planId: string
}

/** What guardrails judged in each of some plans, in their order; in those that none did, nothing. */
export async function judgedActions(
  target: QueryTarget,
  plans: readonly Pick<PlanSummary, 'traceId' | 'planId' | 'live'>[],
): Promise<JudgedActions[]> {
  if (plans.length === 0) return []
  const { database } = target
  const sql = querySql('judged_actions', { database, risks: risksOfTraces(database) })
  const traceIds = [...new Set(plans.map(({ traceId }) => traceId))]
  const found = new Map<string, JudgedActions>()
  for (const { traceId, planId, ...judged } of await readRows<Row>(target, sql, { traceIds })) {
    found.set(keyOf(traceId, planId), judged)
  }
  // An imported record is its whole trace.
  return plans.map(({ traceId, planId, live }) => found.get(keyOf(traceId, live ? planId : '')) ?? NONE)
}

const NONE: JudgedActions = { judged: 0, unsafe: 0, unsafeStopped: 0, unsafeTaken: 0 }

const keyOf = (traceId: string, planId: string): string => `${traceId} ${planId}`
