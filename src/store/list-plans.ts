import { PlanspanError } from '../error.js'
import { decodeCursor, encodeCursor, type PlanCursor } from './plan-cursor.js'
import { judgedActions } from './judged-actions.js'
import { pageFiguresSql } from './plan-figures.js'
import type { PlanFilters } from './plan-filters.js'
import { FOREIGN_PLANS, OWN_PLANS, type PageQuery, type PlanKind } from './plan-kinds.js'
import { checkOrder, type PlanOrder, type PlanSort } from './plan-order.js'
import { planStepsSql } from './plan-steps.js'
import {
  toSummary,
  type FactsRow,
  type FiguresRow,
  type PlanDetails,
  type PlanRow,
  type PlanSummary,
  type StepsRow,
} from './plan-summary.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { EARLIEST, LATEST } from './time-bounds.js'
import { unixNanoNow } from './unix-nano-now.js'

export interface ListPlansOptions extends PlanFilters {
  /** @default 'start' */
  sort?: PlanSort
  /** @default 'desc' */
  order?: PlanOrder
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

/** A plan of a page, and where a page of what comes after it begins. */
export interface ListedPlan extends PlanSummary {
  readonly cursor: string
}

export interface PlanPage {
  readonly plans: readonly ListedPlan[]
  /** Where the next page begins; undefined on the last one. */
  readonly cursor: string | undefined
}

const MAX_LIMIT = 1000

/** A page of plan summaries. Throws `usage` for a cursor, state, sort or limit that is none. */
export async function listPlans(target: QueryTarget, options: ListPlansOptions = {}): Promise<PlanPage> {
  const { limit = 50, sort = 'start', order = 'desc', cursor } = options
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new PlanspanError('usage', `A page has 1 to ${String(MAX_LIMIT)} plans, not ${String(limit)}.`)
  }
  checkOrder({ sort, order })
  const after = cursor === undefined ? undefined : decodeCursor(cursor, { sort, order })
  const wanted = { ...options, sort, order, after, limit: limit + 1 }
  const [own, foreign] = await Promise.all([
    readPlans(target, wanted, OWN_PLANS),
    readPlans(target, wanted, FOREIGN_PLANS),
  ])
  const inOrder = order === 'desc' ? (a: PlanRow, b: PlanRow) => -compare(a, b) : compare
  const rows = [...own, ...foreign].toSorted(inOrder)
  const page = rows.slice(0, limit)
  const details = await readDetails(target, page)
  const plans = page.map((row, index) => ({
    ...toSummary(row, details[index] ?? NOTHING),
    cursor: encodeCursor({ ...row, sort, order, rank: BigInt(row.rank), start: BigInt(row.start) }),
  }))
  return { plans, cursor: rows.length > limit ? plans.at(-1)?.cursor : undefined }
}

/** As the queries order them. */
function compare(a: PlanRow, b: PlanRow): number {
  if (a.rank !== b.rank) return BigInt(a.rank) < BigInt(b.rank) ? -1 : 1
  if (a.start !== b.start) return BigInt(a.start) < BigInt(b.start) ? -1 : 1
  if (a.traceId !== b.traceId) return a.traceId < b.traceId ? -1 : 1
  return Buffer.compare(Buffer.from(a.planId), Buffer.from(b.planId))
}

interface Wanted extends PlanFilters, Required<Pick<ListPlansOptions, 'sort' | 'order' | 'limit'>> {
  readonly after: PlanCursor | undefined
  readonly now?: bigint
}

/**
 * Newest first, it looks at the newest plans first, and further back if those don't fill the page: a filter may let few
 * through. In any other order all plans of the time have to be looked at.
 */
async function readPlans(target: QueryTarget, wanted: Wanted, { table, pageQuery }: PlanKind): Promise<PlanRow[]> {
  const { after, sort, order, limit, trace, now = unixNanoNow() } = wanted
  const { since, to } = timeOf(wanted)
  const isNewestFirst = sort === 'start' && order === 'desc'
  const isOfAllTime = !isNewestFirst && since === EARLIEST && to === LATEST
  const listing = { ...wanted, isBehind: after !== undefined, isOfAllTime, isWhole: false }
  const { query, params, among } = pageQuery(target, listing)
  for (let traces = limit * TRACES_A_PLAN; ; traces *= GROWTH) {
    const guess = isNewestFirst && trace === undefined
    const from = guess ? await guessPageStart(target, { table, among, params }, { since, to, traces }) : since
    if (from === undefined) return []
    const values = { ...params, ...cursorParams(after), from: String(from), to: String(to), now: String(now), limit }
    const plans = await readRows<PlanRow>(target, query, values)
    if (plans.length === limit || from === since) return plans
  }
}

/** When the plans that are asked for begin, as far as filters and the cursor tell. */
function timeOf({ after, sort, order, since: asked = EARLIEST, until = LATEST }: Wanted) {
  const since = asked > EARLIEST ? asked : EARLIEST
  if (after === undefined || sort !== 'start') return { since, to: until }
  return order === 'desc'
    ? { since, to: after.start < until ? after.start : until }
    : { since: after.start > since ? after.start : since, to: until }
}

/** Some of the traces that the guess counts begin before it. */
const TRACES_A_PLAN = 2
const GROWTH = 16

interface Window {
  readonly since: bigint
  readonly to: bigint
  readonly traces: number
}

interface Among extends Pick<PlanKind, 'table'>, Pick<PageQuery, 'among' | 'params'> {}

/** From when on enough traces begin that may have what is asked for; undefined if none does. */
async function guessPageStart(
  target: QueryTarget,
  { table, among, params }: Among,
  { since, to, traces }: Window,
): Promise<bigint | undefined> {
  const [found] = await readRows<{ start: string; traces: number | string }>(
    target,
    querySql('page_start', { database: target.database, table, among }),
    { ...params, from: String(since), to: String(to), traces },
  )
  const count = Number(found?.traces ?? 0)
  if (found === undefined || count === 0) return undefined
  return count === traces ? BigInt(found.start) : since
}

const cursorParams = (after: PlanCursor | undefined) =>
  after && {
    afterRank: String(after.rank),
    afterStart: String(after.start),
    afterTrace: after.traceId,
    afterPlan: after.planId,
  }

const NOTHING: PlanDetails = { facts: undefined, steps: undefined, figures: undefined, unsafeTaken: 0 }

/** What a page shows beyond what it is chosen by: read for its plans alone, in their order. */
async function readDetails(target: QueryTarget, page: readonly PlanRow[]): Promise<PlanDetails[]> {
  const { database } = target
  const own = page.filter(({ convention }) => convention === '')
  const [facts, steps, { figures, taken }] = await Promise.all([
    readOf<FactsRow>(target, querySql('plan_facts', { database }), own),
    readOf<StepsRow>(target, planStepsSql(database), own),
    readFigures(target, page),
  ])
  return page.map((row) => ({
    facts: facts.get(planKey(row))?.facts ?? row.facts,
    steps: steps.get(planKey(row)),
    figures: figures.get(figuresKey(row)),
    unsafeTaken: taken.get(planKey(row)) ?? 0,
  }))
}

/** Counted from the spans themselves: only so does one that is stored twice count once. */
async function readFigures(target: QueryTarget, page: readonly PlanRow[]) {
  const figures = await readOf<FiguresRow>(target, pageFiguresSql(target.database), page)
  // What came of actions depends on what else stands in their cycles: it is asked where there are guardrails at all.
  const judged = page.filter((row) => Number(figures.get(figuresKey(row))?.guardrails ?? 0) > 0)
  const actions = await judgedActions(
    target,
    judged.map((row) => ({ ...row, live: row.dialect === '' })),
  )
  return { figures, taken: new Map(judged.map((row, index) => [planKey(row), actions[index]?.unsafeTaken])) }
}

/** The rows that a query has of plans, by their keys. */
async function readOf<Row extends { planId: string; traceId: string }>(
  target: QueryTarget,
  query: string,
  plans: readonly PlanRow[],
): Promise<Map<string, Row>> {
  if (plans.length === 0) return new Map()
  const rows = await readRows<Row>(target, query, {
    planIds: plans.map(({ planId }) => planId),
    traceIds: [...new Set(plans.map(({ traceId }) => traceId))],
  })
  return new Map(rows.map((row) => [planKey(row), row]))
}

/** An imported record is its whole trace. */
const figuresKey = ({ planId, traceId, dialect }: PlanRow): string =>
  planKey({ traceId, planId: dialect === '' ? planId : '' })

const planKey = ({ planId, traceId }: { planId: string; traceId: string }): string => `${traceId} ${planId}`
