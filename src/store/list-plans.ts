import { PlanspanError } from '../error.js'
import type { State } from '../semconv/index.js'
import { decodeCursor, encodeCursor, type PlanCursor } from './plan-cursor.js'
import { toSummary, type CountsRow, type FactsRow, type PlanRow, type PlanSummary } from './plan-summary.js'
import { FOREIGN_PLANS, OWN_PLANS, type PlanKind } from './plan-kinds.js'
import type { PlanSearch } from './plan-search.js'
import { querySql, readRows, type QueryTarget } from './query.js'

export interface ListPlansOptions extends PlanSearch {
  /**
   * Only plans whose records are of this dialect: its imports, and live plans for theirs; `plan-act` also stands for
   * `plan-act:sse` and its like.
   */
  dialect?: string
  /** Only imports of this source; '' is the source of those that named none. */
  source?: string
  /** Only plans in one of these states. */
  states?: readonly State[]
  /** Only plans of this trace; a foreign one of model calls alone is found so, too. */
  trace?: string
  /** Only plans that started at this time or later, nanoseconds since the Unix epoch. */
  since?: bigint
  /** Only plans that started before this time, nanoseconds since the Unix epoch. */
  until?: bigint
  /**
   * Every generation of an imported record, not the deciding one alone.
   * @default false
   */
  all?: boolean
  /** Where the page before ended. */
  cursor?: string
  /** @default 50 */
  limit?: number
  /**
   * The time by which a silent plan counts as interrupted, nanoseconds since the Unix epoch.
   * @default the clock's
   */
  now?: bigint
}

export interface PlanPage {
  readonly plans: readonly PlanSummary[]
  /** Where the next page begins; undefined on the last one. */
  readonly cursor: string | undefined
}

const MAX_LIMIT = 1000

/** A page of plan summaries, newest start first. Throws `usage` for a cursor, state or limit that is none. */
export async function listPlans(target: QueryTarget, options: ListPlansOptions = {}): Promise<PlanPage> {
  const { limit = 50 } = options
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new PlanspanError('usage', `A page has 1 to ${String(MAX_LIMIT)} plans, not ${String(limit)}.`)
  }
  const [own, foreign] = await Promise.all([
    readPlans(target, options, limit + 1, OWN_PLANS),
    readPlans(target, options, limit + 1, FOREIGN_PLANS),
  ])
  const rows = [...own, ...foreign].toSorted(newestFirst)
  const page = rows.slice(0, limit)
  const [facts, counts] = await Promise.all([readFacts(target, page), readCounts(target, page)])
  const last = page.at(-1)
  return {
    plans: page.map((row) => toSummary(row, facts.get(planKey(row))?.facts ?? row.facts, counts.get(countKey(row)))),
    cursor: rows.length > limit && last ? encodeCursor({ ...last, start: BigInt(last.start) }) : undefined,
  }
}

/** Where a list goes on behind a plan of it. */
export const cursorOf = ({ startTimeUnixNano, traceId, planId }: PlanSummary): string =>
  encodeCursor({ start: startTimeUnixNano, traceId, planId })

/** As the queries order them. */
function newestFirst(a: PlanRow, b: PlanRow): number {
  if (a.start !== b.start) return BigInt(a.start) < BigInt(b.start) ? 1 : -1
  const [before, after] = [`${a.traceId} ${a.planId}`, `${b.traceId} ${b.planId}`]
  return before === after ? 0 : before < after ? 1 : -1
}

// 1900: ClickHouse sends a bound to its shards as text, and can't read one back that is further ago.
const EARLIEST = -2_208_988_800_000_000_000n
const LATEST = 2n ** 63n - 1n

/** Looks at the newest plans first, and further back if those don't fill the page: a filter may let few through. */
async function readPlans(
  target: QueryTarget,
  options: ListPlansOptions,
  limit: number,
  { table, pageQuery }: PlanKind,
): Promise<PlanRow[]> {
  const { until = LATEST, now = BigInt(Date.now()) * 1_000_000n } = options
  const since = options.since !== undefined && options.since > EARLIEST ? options.since : EARLIEST
  const after = options.cursor === undefined ? undefined : decodeCursor(options.cursor)
  const to = after && after.start < until ? after.start : until
  const { query, params } = pageQuery(target, options)
  for (let traces = limit * TRACES_A_PLAN; ; traces *= GROWTH) {
    const from = options.trace === undefined ? await guessPageStart(target, table, { since, to, traces }) : since
    if (from === undefined) return []
    const values = { ...params, ...cursorParams(after), from: String(from), to: String(to), now: String(now), limit }
    const plans = await readRows<PlanRow>(target, query, values)
    if (plans.length === limit || from === since) return plans
  }
}

/** Some of the traces that the guess counts begin before it. */
const TRACES_A_PLAN = 2
const GROWTH = 16

interface Window {
  readonly since: bigint
  readonly to: bigint
  readonly traces: number
}

/** From when on enough traces begin; undefined if none does. */
async function guessPageStart(
  target: QueryTarget,
  table: string,
  { since, to, traces }: Window,
): Promise<bigint | undefined> {
  const [found] = await readRows<{ start: string; traces: number | string }>(
    target,
    querySql('page_start', { database: target.database, table }),
    { from: String(since), to: String(to), traces },
  )
  const count = Number(found?.traces ?? 0)
  if (found === undefined || count === 0) return undefined
  return count === traces ? BigInt(found.start) : since
}

const cursorParams = (after: PlanCursor | undefined) =>
  after && { afterStart: String(after.start), afterTrace: after.traceId, afterPlan: after.planId }

/** What a page shows beyond what it is chosen by: read for its plans alone. */
async function readFacts(target: QueryTarget, page: readonly PlanRow[]): Promise<Map<string, FactsRow>> {
  const own = page.filter(({ convention }) => convention === '')
  if (own.length === 0) return new Map()
  const rows = await readRows<FactsRow>(target, querySql('plan_facts', { database: target.database }), {
    planIds: own.map(({ planId }) => planId),
    traceIds: own.map(({ traceId }) => traceId),
  })
  return new Map(rows.map((row) => [planKey(row), row]))
}

/** Counted from the spans themselves: only so does one that is stored twice count once. */
async function readCounts(target: QueryTarget, page: readonly PlanRow[]): Promise<Map<string, CountsRow>> {
  if (page.length === 0) return new Map()
  const rows = await readRows<CountsRow>(target, querySql('span_counts', { database: target.database }), {
    traceIds: [...new Set(page.map(({ traceId }) => traceId))],
  })
  return new Map(rows.map((row) => [planKey(row), row]))
}

/** An imported record is its whole trace. */
const countKey = ({ planId, traceId, dialect }: PlanRow): string =>
  planKey({ traceId, planId: dialect === '' ? planId : '' })

const planKey = ({ planId, traceId }: { planId: string; traceId: string }): string => `${traceId} ${planId}`
