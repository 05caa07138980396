import type { KnownEnd } from '../../mapping/index.js'
import { type QueryTarget, readRows } from '../client/query.js'
import { findPlaces, type TracePlace } from './trace-places.js'

/** The traces that one plan consists of: the first one, and those in which it goes on. */
export interface LinkedTraces {
  readonly traceId: string
  readonly later: readonly string[]
}

/**
 * Reads which of some traces belong to a plan of several traces. Returns the traces of their plans by each trace that
 * belongs to one.
 */
export async function readLinkedTraces(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, LinkedTraces>> {
  const found = new Map<string, LinkedTraces>()
  if (traceIds.length === 0) return found
  const rows = await readRows<{ traceId: string; later: string[] }>(
    target,
    `SELECT TraceId AS traceId, groupUniqArray(EndTraceId) AS later
     FROM ${target.database}.link_rows FINAL
     WHERE EndTraceId != TraceId AND TraceId GLOBAL IN (
       SELECT TraceId FROM ${target.database}.link_rows FINAL
       WHERE (TraceId IN {traceIds:Array(String)} OR EndTraceId IN {traceIds:Array(String)}) AND EndTraceId != TraceId
     )
     GROUP BY TraceId ORDER BY TraceId`,
    { traceIds: [...traceIds] },
  )
  for (const { traceId, later } of rows) {
    const linked = { traceId, later: later.sort() }
    for (const one of [traceId, ...later]) found.set(one, linked)
  }
  return found
}

/** The places of traces, and of the traces in which their plans go on. */
export interface PlanPlaces {
  readonly places: readonly TracePlace[]
  /** The first traces of the plans that go on in some of the traces. */
  readonly planOf: ReadonlyMap<string, string>
}

/** Finds traces, and the traces in which the plans of these go on. */
export async function findPlanPlaces(target: QueryTarget, traceIds: readonly string[]): Promise<PlanPlaces> {
  const [places, linked] = await Promise.all([findPlaces(target, traceIds), readLinkedTraces(target, traceIds)])
  const planOf = new Map(
    [...linked.values()].flatMap(({ traceId, later }) =>
      traceIds.includes(traceId) ? later.map((one) => [one, traceId] as const) : [],
    ),
  )
  return { places: [...places, ...(await findPlaces(target, [...planOf.keys()]))], planOf }
}

/** Reads all ends with some keys. */
export async function readPlanEnds(target: QueryTarget, keys: readonly string[]): Promise<KnownEnd[]> {
  if (keys.length === 0) return []
  const rows = await readRows<Omit<KnownEnd, 'time' | 'isConversation'> & { time: string; isConversation: boolean }>(
    target,
    `SELECT TraceId AS planTraceId, EndTraceId AS traceId, Side AS side, Key AS key, InConversation AS isConversation,
       toString(toUnixTimestamp64Nano(Timestamp)) AS time
     FROM ${target.database}.link_rows FINAL
     WHERE Key IN {keys:Array(String)}`,
    { keys: [...keys] },
  )
  return rows.map((row) => ({ ...row, time: BigInt(row.time) }))
}
