import { PlanspanError } from '../../error.js'
import {
  decodeCursor,
  encodeCursor,
  checkOrder,
  RANKS,
  type PlanCursor,
  type PlanOrder,
  type PlanSort,
} from './plan-order.js'
import { PLAN_STATE, type PlanCondition, planCondition, type PlanSelection, WAITING_SINCE } from './plan-filters.js'
import { type PlanRow, type PlanSummary, toSummary } from './plan-summary.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'

export interface ListPlansOptions extends PlanSelection {
  /** @default 'start' */
  sort?: PlanSort
  /** @default 'desc' */
  order?: PlanOrder
  /** The cursor of the page before. */
  cursor?: string
  /** @default 50 */
  limit?: number
}

/** A plan of a page, with the cursor of the page that begins after it. */
export interface ListedPlan extends PlanSummary {
  readonly cursor: string
}

export interface PlanPage {
  readonly plans: readonly ListedPlan[]
  /** The cursor of the next page; undefined on the last page. */
  readonly cursor: string | undefined
}

const MAX_LIMIT = 1000

/** Reads a page of plan summaries. Throws `usage` for an invalid cursor, state, sort or limit. */
export async function listPlans(target: QueryTarget, options: ListPlansOptions = {}): Promise<PlanPage> {
  const { limit = 50, sort = 'start', order = 'desc', cursor, ...selection } = options
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new PlanspanError('usage', `A page has 1 to ${String(MAX_LIMIT)} plans, not ${String(limit)}.`)
  }
  checkOrder({ sort, order })
  const after = cursor === undefined ? undefined : decodeCursor(cursor, { sort, order })
  const rows = await readPage(target, { selection, sort, order, after, limit: limit + 1 })
  const plans = rows.slice(0, limit).map((row) => ({
    ...toSummary(row),
    cursor: encodeCursor({ ...row, sort, order, rank: BigInt(row.rank), start: BigInt(row.start) }),
  }))
  return { plans, cursor: rows.length > limit ? plans.at(-1)?.cursor : undefined }
}

interface PageTask {
  readonly selection: PlanSelection
  readonly sort: PlanSort
  readonly order: PlanOrder
  readonly after: PlanCursor | undefined
  readonly limit: number
}

/** The place of a plan in an order. */
type Position = Pick<PlanRow, 'rank' | 'start'>

/** The number of rows to search per plan of a page: until ClickHouse merges them, a plan has earlier versions. */
const ROWS_PER_PLAN = 8
/** The number of plans to read per plan of a page: the current version of a row may not match, or sort later. */
const STARTS_PER_PLAN = 1.25

/**
 * Reads a page of current rows. FINAL over all plans is costly, so a search over all versions of their rows finds when
 * the first plans in the order start. If earlier versions crowd out too many plans, the page is read from all of them.
 */
async function readPage(target: QueryTarget, task: PageTask): Promise<PlanRow[]> {
  const { limit, order } = task
  const { startsSql, pageSql, params } = queriesOf(target, task)
  await target.indexed?.()
  const rows = limit * ROWS_PER_PLAN
  const found = await readRows<Position>(target, startsSql, { ...params, rows })
  if (found.length === 0) return []
  const starts = new Set<string>()
  const last =
    found.find(({ start }) => starts.add(start).size === Math.ceil(limit * STARTS_PER_PLAN)) ?? found[rows - 1]
  const ofStarts = { ...params, limit, starts: Array.from(starts, BigInt) }
  const page = await readRows<PlanRow>(target, pageSql(OF_STARTS), ofStarts)
  if (last === undefined) return page
  const isFull = page.length === limit && page.every((plan) => !isBehind(plan, last, order))
  return isFull ? page : readRows<PlanRow>(target, pageSql('true'), { ...params, limit })
}

const OF_STARTS = 'toUnixTimestamp64Nano(Timestamp) IN {starts:Array(Int64)}'

/** Whether a plan sorts after a position with another start. */
function isBehind(plan: Position, position: Position, order: PlanOrder): boolean {
  const [a, b] = order === 'desc' ? [plan, position] : [position, plan]
  return BigInt(a.rank) < BigInt(b.rank) || (a.rank === b.rank && BigInt(a.start) < BigInt(b.start))
}

function queriesOf({ database }: QueryTarget, { selection, sort, order, after }: PageTask) {
  const rank = RANKS[sort]
  const { where, params } = planCondition(selection)
  const behind = after && cursorCondition(after)
  const all = behind ? `${where} AND ${behind.where}` : where
  const keys = sort === 'start' ? ['Timestamp'] : [rank, 'Timestamp']
  const by = (names: readonly string[]): string => names.map((name) => `${name} ${order}`).join(', ')
  return {
    startsSql: querySql('plan_starts', { database, rank, where: all, order: by(keys) }),
    pageSql: (among: string): string =>
      querySql('plan_page', {
        database,
        rank,
        state: PLAN_STATE,
        waiting_since: WAITING_SINCE,
        where: `${among} AND ${all}`,
        order: by([...keys, 'TraceId', 'PlanId']),
      }),
    params: { ...params, ...behind?.params },
  }
}

const START = 'fromUnixTimestamp64Nano({afterStart:Int64})'

/** The condition on plans after a cursor. */
function cursorCondition({ sort, order, rank, start, traceId, planId }: PlanCursor): PlanCondition {
  const isBehind = order === 'desc' ? '<' : '>'
  const place = `(${RANKS[sort]}, Timestamp, TraceId, PlanId) ${isBehind} ({afterRank:Int64}, ${START}, {afterTrace:String}, {afterPlan:String})`
  return {
    // The first condition lets ClickHouse skip granules.
    where: sort === 'start' ? `Timestamp ${isBehind}= ${START} AND ${place}` : place,
    params: { afterRank: String(rank), afterStart: String(start), afterTrace: traceId, afterPlan: planId },
  }
}
