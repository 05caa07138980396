import { append } from '../append.js'
import { PlanspanError } from '../error.js'
import { decodeCursor, encodeCursor, type PlanCursor } from './plan-cursor.js'
import { PageDetails } from './page-details.js'
import { rowsOfFound } from './newest-page.js'
import { newestWindows, type PlanTimes, type PlanWindow } from './newest-plans.js'
import { checkFilters, isFiltered, type PlanFilters } from './plan-filters.js'
import { FOREIGN_PLANS, OWN_PLANS, type PlanKind } from './plan-kinds.js'
import { checkOrder, type PlanOrder, type PlanSort } from './plan-order.js'
import { type PlanRow, type PlanSummary, toSummary } from './plan-summary.js'
import { readRows, type QueryTarget } from './query.js'
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
  checkFilters(options)
  const after = cursor === undefined ? undefined : decodeCursor(cursor, { sort, order })
  const wanted = { ...options, sort, order, after, limit: limit + 1 }
  const details = new PageDetails(target)
  const reading = { ...wanted, target, details }
  const [own, foreign] = await Promise.all([readPlans(reading, OWN_PLANS), readPlans(reading, FOREIGN_PLANS)])
  const rows = [...own, ...foreign].toSorted(order === 'desc' ? newestFirst : compare)
  const page = await details.of(rows.slice(0, limit))
  const plans = page.map(([row, told]) => ({
    ...toSummary(row, told),
    cursor: encodeCursor({ ...row, sort, order, rank: BigInt(row.rank), start: BigInt(row.start) }),
  }))
  return { plans, cursor: rows.length > limit ? plans.at(-1)?.cursor : undefined }
}

type Position = Readonly<Record<'rank' | 'start', string | bigint> & Record<'traceId' | 'planId', string>>

/** As the queries order them. */
function compare(a: Position, b: Position): number {
  for (const name of ['rank', 'start'] as const) {
    const [ofA, ofB] = [BigInt(a[name]), BigInt(b[name])]
    if (ofA !== ofB) return ofA < ofB ? -1 : 1
  }
  if (a.traceId !== b.traceId) return a.traceId < b.traceId ? -1 : 1
  return Buffer.compare(Buffer.from(a.planId), Buffer.from(b.planId))
}

const newestFirst = (a: Position, b: Position): number => -compare(a, b)

interface Wanted extends PlanFilters, Required<Pick<ListPlansOptions, 'sort' | 'order' | 'limit'>> {
  readonly after: PlanCursor | undefined
  readonly now?: bigint
}

/** Reads what is listed of plans, and begins to read what is shown of them as soon as it is known which they are. */
interface Reading extends Wanted {
  readonly target: QueryTarget
  readonly details: PageDetails
}

async function readPlans(reading: Reading, kind: PlanKind): Promise<PlanRow[]> {
  const plans: PlanRow[] = []
  const { target, limit } = reading
  for await (const window of windowsOf(target, reading, kind)) {
    const room = limit - plans.length
    const found = await readFound(reading, kind, window)
    append(plans, found?.slice(0, room) ?? (await readWindow(target, { ...reading, limit: room }, kind, window)))
    if (plans.length === limit) break
  }
  return plans
}

/** The plans that a window found, where all of them are listed; undefined where that has to be asked. */
async function readFound(reading: Reading, kind: PlanKind, window: PlanWindow): Promise<PlanRow[] | undefined> {
  const { target, details, now = unixNanoNow(), all = false } = reading
  if (!window.plans || isFiltered(reading)) return undefined
  details.ask(window.plans)
  if (kind !== OWN_PLANS) return undefined
  const known = details.knownOf(window.plans)
  const found = { plans: window.plans, known, imported: window.traces?.imported ?? [] }
  const rows = await rowsOfFound(target, found, { now, all })
  return rows?.filter((row) => isAsked(row, reading)).toSorted(newestFirst)
}

const isAsked = (row: PlanRow, { until = LATEST, after }: Wanted): boolean =>
  BigInt(row.start) < until && (after === undefined || compare(row, after) < 0)

/** Newest first, the newest plans are looked at first. In any other order all plans of the time have to be. */
function windowsOf(
  target: QueryTarget,
  wanted: Wanted,
  kind: PlanKind,
): AsyncIterable<PlanWindow> | Iterable<PlanWindow> {
  const { since, to } = timeOf(wanted)
  const { limit, trace } = wanted
  return isNewestFirst(wanted) && trace === undefined
    ? newestWindows(target, kind, { since, to, limit, isFiltered: isFiltered(wanted) })
    : [{ from: since, to }]
}

const isNewestFirst = ({ sort, order }: Wanted): boolean => sort === 'start' && order === 'desc'

function readWindow(target: QueryTarget, wanted: Wanted, kind: PlanKind, { from, to, traces }: PlanWindow) {
  const { after, limit, now = unixNanoNow() } = wanted
  const isOfAllTime = !isNewestFirst(wanted) && from === EARLIEST && to === LATEST
  const listing = { ...wanted, isBehind: after !== undefined, isOfAllTime, isWhole: false, ...(traces && { traces }) }
  const { query, params } = kind.pageQuery(target, listing)
  const times = { from: String(from), to: String(to), now: String(now) }
  return readRows<PlanRow>(target, query, { ...params, ...cursorParams(after), ...times, limit })
}

/** When the plans that are asked for begin, as far as filters and the cursor tell. */
function timeOf({ after, sort, order, since: asked = EARLIEST, until = LATEST }: Wanted): PlanTimes {
  const since = asked > EARLIEST ? asked : EARLIEST
  if (after === undefined || sort !== 'start') return { since, to: until }
  return order === 'desc'
    ? { since, to: after.start < until ? after.start : until }
    : { since: after.start > since ? after.start : since, to: until }
}

const cursorParams = (after: PlanCursor | undefined) =>
  after && {
    afterRank: String(after.rank),
    afterStart: String(after.start),
    afterTrace: after.traceId,
    afterPlan: after.planId,
  }
