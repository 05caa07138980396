import { PlanspanError } from '../error.js'
import { STATES, type State } from '../semconv/index.js'
import { decodeCursor, encodeCursor, type PlanCursor } from './plan-cursor.js'
import { toSummary, type CountsRow, type FactsRow, type PlanRow, type PlanSummary } from './plan-summary.js'
import { generationsSql } from './generations.js'
import { planSearchSql, type PlanSearch } from './plan-search.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { LIVE_DIALECT } from './select-trace.js'
import { planStateSql } from './views/state-sql.js'

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
  const rows = await readPlans(target, options, limit + 1)
  const page = rows.slice(0, limit)
  const [facts, counts] = await Promise.all([readFacts(target, page), readCounts(target, page)])
  const last = page.at(-1)
  return {
    plans: page.map((row) => toSummary(row, facts.get(planKey(row)), counts.get(countKey(row)))),
    cursor: rows.length > limit && last ? encodeCursor({ ...last, start: BigInt(last.start) }) : undefined,
  }
}

// 1900: ClickHouse sends a bound to its shards as text, and can't read one back that is further ago.
const EARLIEST = -2_208_988_800_000_000_000n
const LATEST = 2n ** 63n - 1n

/** Looks at the newest plans first, and further back if those don't fill the page: a filter may let few through. */
async function readPlans(target: QueryTarget, options: ListPlansOptions, limit: number): Promise<PlanRow[]> {
  const { until = LATEST, now = BigInt(Date.now()) * 1_000_000n } = options
  const since = options.since !== undefined && options.since > EARLIEST ? options.since : EARLIEST
  const after = options.cursor === undefined ? undefined : decodeCursor(options.cursor)
  const to = after && after.start < until ? after.start : until
  const { query, params } = pageQuery(target, options)
  for (let traces = limit * TRACES_A_PLAN; ; traces *= GROWTH) {
    const from = await guessPageStart(target, since, to, traces)
    const values = { ...params, ...cursorParams(after), from: String(from), to: String(to), now: String(now), limit }
    const plans = await readRows<PlanRow>(target, query, values)
    if (plans.length === limit || from === since) return plans
  }
}

/** Some of the traces that the guess counts begin before it. */
const TRACES_A_PLAN = 2
const GROWTH = 16

function pageQuery(target: QueryTarget, options: ListPlansOptions) {
  const { database } = target
  const searches = planSearchSql(target, options)
  const { where, params } = conditionsOf(options)
  const among = searches.map(({ plans }) => `AND TraceId GLOBAL IN (SELECT TraceId FROM (${plans}))`).join('\n')
  const traces = querySql('traces', { database, where: querySql('traces_between', { database, among }) })
  const generations = options.all === true ? traces : generationsSql(traces, 'deciding')
  const found = searches.map(
    ({ plans }) => `(traceId, if(dialect = '', planId, '')) GLOBAL IN (SELECT TraceId, Plan FROM (${plans}))`,
  )
  return {
    query: querySql('list_plans', {
      generations,
      where: [where, ...found].join(' AND '),
      state: planStateSql('{now:Int64}'),
    }),
    params: Object.assign({}, params, ...searches.map((search) => search.params)) as Record<string, unknown>,
  }
}

async function guessPageStart(target: QueryTarget, since: bigint, to: bigint, traces: number): Promise<bigint> {
  const [found] = await readRows<{ start: string; traces: number | string }>(
    target,
    querySql('page_start', { database: target.database }),
    { from: String(since), to: String(to), traces },
  )
  return found && Number(found.traces) === traces ? BigInt(found.start) : since
}

function conditionsOf({ dialect, source, states, until, cursor }: ListPlansOptions) {
  const unknown = states?.find((state) => !STATES.includes(state))
  if (unknown !== undefined) {
    throw new PlanspanError('usage', `${JSON.stringify(unknown)} is no state. States are ${STATES.join(', ')}.`)
  }
  const conditions = [
    dialect === undefined
      ? ''
      : `(dialect = {dialect:String} OR startsWith(dialect, concat({dialect:String}, ':'))${dialect === LIVE_DIALECT ? " OR dialect = ''" : ''})`,
    source === undefined ? '' : `dialect != '' AND source = {source:String}`,
    states === undefined ? '' : 'state IN {states:Array(String)}',
    until === undefined ? '' : 'plan.Start < fromUnixTimestamp64Nano({until:Int64})',
    cursor === undefined ? '' : AFTER_CURSOR,
  ].filter((condition) => condition !== '')
  return { where: conditions.join(' AND ') || 'true', params: { dialect, source, states, until: until?.toString() } }
}

const cursorParams = (after: PlanCursor | undefined) =>
  after && { afterStart: String(after.start), afterTrace: after.traceId, afterPlan: after.planId }

const AFTER_CURSOR =
  '(plan.Start, traceId, planId) < (fromUnixTimestamp64Nano({afterStart:Int64}), {afterTrace:String}, {afterPlan:String})'

/** What a page shows beyond what it is chosen by: read for its plans alone. */
async function readFacts(target: QueryTarget, page: readonly PlanRow[]): Promise<Map<string, FactsRow>> {
  if (page.length === 0) return new Map()
  const rows = await readRows<FactsRow>(target, querySql('plan_facts', { database: target.database }), {
    planIds: page.map(({ planId }) => planId),
    traceIds: page.map(({ traceId }) => traceId),
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
