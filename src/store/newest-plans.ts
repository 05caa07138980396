import type { PlanOfTrace } from './page-plans.js'
import type { PlanKind } from './plan-kinds.js'
import { querySql, readRows, type QueryTarget } from './query.js'

/** Traces of plans: those of records that were imported apart. */
export interface PlanTraces {
  readonly live: readonly string[]
  readonly imported: readonly string[]
}

/** A part of the time in which plans start: they are all in these traces, or anywhere if there are none. */
export interface PlanWindow {
  readonly from: bigint
  readonly to: bigint
  readonly traces?: PlanTraces
  /** The plans that were found there, as far as these are told. */
  readonly plans?: readonly PlanOfTrace[]
}

/** The times between which the plans that are asked for start, Unix nanoseconds, both included. */
export interface PlanTimes {
  readonly since: bigint
  readonly to: bigint
}

/** Of so many rows there is one that begins a plan: agents, plannings and waits have rows as well. */
const ROWS_A_PLAN = 4
/** Of the newest rows fewer do, since plans that go on add some with each insert: so many are enough for a page. */
const NEWEST_ROWS_A_PLAN = 16
/** How many more rows each window has than the one before. */
const GROWTH = 16
/** A query names so many traces at most: ClickHouse takes parameters of 128 KiB. */
const MAX_TRACES = 3_000

export interface Newest extends PlanTimes {
  /** How many plans are wanted. */
  readonly limit: number
  /** Whether some plans of the time are left out. */
  readonly isFiltered: boolean
}

/**
 * Divides a time into windows, the newest first, so that a page that the newest plans fill reads them alone, however
 * many there are: a filter may let few through.
 */
export async function* newestWindows(
  target: QueryTarget,
  kind: PlanKind,
  { since, to: latest, limit, isFiltered }: Newest,
): AsyncGenerator<PlanWindow, void, undefined> {
  let to = latest
  for (let rows = limit * (isFiltered ? ROWS_A_PLAN : NEWEST_ROWS_A_PLAN); ; rows *= GROWTH) {
    const from = await startOfRows(target, kind, { since, to }, rows)
    if (from === undefined) return
    const plans = isFiltered ? rows / ROWS_A_PLAN : limit
    const window = plans > MAX_TRACES ? { from, to } : await windowOf(target, kind, { since: from, to }, plans)
    if (window) yield window
    const next = window?.from ?? from
    if (next <= since) return
    to = next - 1n
  }
}

/** When the newest rows of a time begin; undefined where there are none. */
async function startOfRows(
  target: QueryTarget,
  { table, newest }: PlanKind,
  { since, to }: PlanTimes,
  rows: number,
): Promise<bigint | undefined> {
  const query = querySql('newest_rows', { database: target.database, table, newest })
  const times = { from: String(since), to: String(to) }
  const [found] = await readRows<{ start: string; rows: number | string }>(target, query, { ...times, rows })
  const count = Number(found?.rows ?? 0)
  if (found === undefined || count === 0) return undefined
  return count < rows ? since : BigInt(found.start)
}

interface PlanStart extends PlanOfTrace {
  start: string
  isImport: boolean
}

/** The window of the newest plans of a time, all of it if it has no more; undefined where no plan starts. */
async function windowOf(
  target: QueryTarget,
  { startsSql }: PlanKind,
  { since: from, to }: PlanTimes,
  plans: number,
): Promise<PlanWindow | undefined> {
  const query = querySql('newest_plans', { starts: startsSql(target.database) })
  const found = await readRows<PlanStart>(target, query, { from: String(from), to: String(to), plans })
  const last = found.at(-1)
  if (last === undefined) return undefined
  const window = { from: found.length < plans ? from : BigInt(last.start), to }
  const tracesThat = (imported: boolean) => [
    ...new Set(found.filter((one) => one.isImport === imported).map(({ traceId }) => traceId)),
  ]
  const traces = { live: tracesThat(false), imported: tracesThat(true) }
  return traces.live.length + traces.imported.length > MAX_TRACES ? window : { ...window, traces, plans: found }
}
