import { ATTR } from '../../semconv/index.js'
import { querySql, readRows, streamBytes, type QueryTarget } from '../client/query.js'
import { literal } from '../client/sql-file.js'
import { stateAt } from '../row-tables/index.js'

/** Streams what the indexer has kept of the plans of traces whose spans are lost, as rows of their plan spans. */
export const streamLostRows = (
  target: QueryTarget,
  traceIds: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> =>
  streamBytes(target, querySql('lost_rows', { database: target.database, state_now: stateAt('now64(9)'), ...KEYS }), {
    traceIds: [...traceIds],
  })

/** The attributes that are columns of a plan's row. */
const KEYS = Object.fromEntries(
  Object.entries({
    kind: ATTR.spanKind,
    plan_id: ATTR.planId,
    root_id: ATTR.planRootId,
    agent: ATTR.agentName,
    title: ATTR.planTitle,
    state: ATTR.state,
    gap: ATTR.adoptedGap,
  }).map(([name, key]) => [name, literal(key)]),
)

/** A plan with rows, but without spans. */
export interface LostPlan {
  readonly traceId: string
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/** Finds the indexed plans with an id whose trace has no lookup, the newest first. */
export const findLostPlans = (target: QueryTarget, planId: string): Promise<LostPlan[]> =>
  readRows(
    target,
    `SELECT TraceId AS traceId, Dialect AS dialect, Source AS source, RecordKey AS recordKey
     FROM ${target.database}.plan_rows FINAL
     WHERE PlanId = {planId:String} ORDER BY Superseded, Timestamp DESC, traceId`,
    { planId },
  )
