import type { State } from '../semconv/index.js'
import { IS_LISTED, IS_PLAN } from './foreign/plan-rows.js'
import { generationsSql, tracesSql } from './generations.js'
import type { PlanTraces } from './newest-plans.js'
import type { PlanFilters } from './plan-filters.js'
import { risksSql, tellingFiguresSql } from './plan-figures.js'
import { type PlanColumns, type PlanOrder, type PlanSort, rankSql } from './plan-order.js'
import { planSearchSql, type PlanSearchSql } from './plan-search.js'
import { querySql, type QueryTarget } from './query.js'
import { LIVE_DIALECT } from './select-trace.js'
import { fillSql, readSql } from './sql-file.js'
import { foreignTraces } from './views/fragments.js'
import { MAY_BE_OPEN, planStateSql } from './views/state-sql.js'

/** Which plans are asked for, and in what order. */
export interface Listing extends PlanFilters {
  readonly sort: PlanSort
  readonly order: PlanOrder
  /** Whether only those behind a cursor. */
  readonly isBehind: boolean
  /** Whether those of all times. */
  readonly isOfAllTime: boolean
  /** Whether all of them are asked for, in no order, each with its workflow. */
  readonly isWhole: boolean
  /** The traces that they are in, where these are known. */
  readonly traces?: PlanTraces
}

export interface PageQuery {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Plans of a kind, and the query for `{limit:UInt32}` of them or all. */
export interface PlanKind {
  /** The table that tells when they begin, by `Start`; its newest rows first in the order in which they lie. */
  readonly table: string
  readonly newest: string
  /** A query for when plans begin, of the traces with rows between `{from:Int64}` and `{to:Int64}`. */
  startsSql(database: string): string
  pageQuery(target: QueryTarget, listing: Listing): PageQuery
}

const OWN_COLUMNS: PlanColumns = {
  start: 'plan.Start',
  duration: 'toUnixTimestamp64Nano(LastSeen) - toUnixTimestamp64Nano(plan.Start)',
  figuresKey: ['TraceId', `if(Dialect = '', plan.PlanId, '')`],
}

const LIVE_PLANS = readSql('fragments/live_plans.sql').trimEnd()
const OWN_STARTS = readSql('fragments/own_starts.sql').trimEnd()
const FOREIGN_STARTS = readSql('fragments/foreign_starts.sql').trimEnd()
const IMPORTED_PLANS = readSql('fragments/imported_plans.sql').trimEnd()

/** The plans of planspan's own spans. */
export const OWN_PLANS: PlanKind = {
  table: 'plan_states',
  newest: 'Start DESC',
  startsSql: (database) => fillSql(OWN_STARTS, { database, traces_between: startBetween(database, 'plan_states') }),
  pageQuery(target, listing) {
    const { database } = target
    const searches = planSearchSql(target, listing, listing.traces && OF_TRACES)
    const { live, imports } = listing.traces ? inTraces(database, listing.traces) : inTime(database, listing, searches)
    const plans = [
      ...(live === undefined ? [] : [fillSql(LIVE_PLANS, { database, where: live })]),
      ...(imports === undefined
        ? []
        : [
            fillSql(IMPORTED_PLANS, {
              generations: listing.all === true ? imports : generationsSql(imports, 'deciding'),
            }),
          ]),
    ]
    const found = searches.map(
      ({ plans }) => `(traceId, if(dialect = '', planId, '')) GLOBAL IN (SELECT TraceId, Plan FROM (${plans}))`,
    )
    const query = querySql('list_plans', {
      ...orderSql(target, listing, OWN_COLUMNS),
      plans: plans.join('\nUNION ALL\n'),
      workflow: listing.isWhole ? `,\n  if(Facts.1 = 'plan', Facts.2, '') AS workflow` : '',
      where: [...conditionsOf(listing, OWN_COLUMNS), ...found].join(' AND ') || 'true',
      state: planStateSql('{now:Int64}'),
    })
    return { query, params: paramsOf(listing, searches) }
  },
}

/** What holds of the rows of live plans, and a query for the traces of imports; undefined where there are none. */
interface Among {
  readonly live: string | undefined
  readonly imports: string | undefined
}

const OF_TRACES = 'AND TraceId IN {traces:Array(String)}'

function inTraces(database: string, { live, imported }: PlanTraces): Among {
  const generations = querySql('generations_of', { database, of: 'TraceId IN {importedTraces:Array(String)}' })
  return {
    live: live.length === 0 ? undefined : 'TraceId IN {liveTraces:Array(String)}',
    imports: imported.length === 0 ? undefined : tracesSql(database, generations),
  }
}

function inTime(database: string, listing: Listing, searches: readonly PlanSearchSql[]): Among {
  const among = [
    ...searches.map(({ plans }) => `AND TraceId GLOBAL IN (SELECT TraceId FROM (${plans}))`),
    ...(listing.states === undefined ? [] : [`AND TraceId GLOBAL IN (${tracesInStates(database, listing.states)})`]),
  ].join('\n')
  const isEvery = listing.isOfAllTime && listing.trace === undefined && among === ''
  const isOfTime = isEvery
    ? 'true'
    : listing.trace === undefined
      ? startBetween(database, 'plan_states', among)
      : IN_TRACE
  const hasRecord = (told: string) => `TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE ${told})`
  const isOfImports = isEvery
    ? hasRecord(`RecordKey != ''`)
    : listing.trace === undefined
      ? querySql('generations_of', { database, of: isOfTime })
      : IN_TRACE
  return {
    live: `${isOfTime} AND NOT ${hasRecord(`${isOfTime} AND Dialect != ''`)}`,
    imports: tracesSql(database, isOfImports),
  }
}

const IN_TRACE = 'TraceId = {trace:String}'

const startBetween = (database: string, table: string, among = ''): string =>
  querySql('traces_between', { database, table, among })

/** What a plan's own span says of it; nothing else can make it so. */
const OWN_STATES: ReadonlySet<State> = new Set(['completed', 'failed', 'cancelled'])

/** A query for the traces that have a plan which may be in one of `{states:Array(String)}`: that of some row of it. */
function tracesInStates(database: string, states: readonly State[]): string {
  const mayBe = [
    'finalizeAggregation(State) IN {states:Array(String)}',
    ...(states.includes('completed') ? [`finalizeAggregation(State) = ''`] : []),
    ...(states.every((state) => OWN_STATES.has(state)) ? [] : [`${MAY_BE_OPEN} = 1`]),
  ]
  return `SELECT TraceId FROM ${database}.plan_states WHERE ${mayBe.join(' OR ')}`
}

const FOREIGN_COLUMNS: PlanColumns = {
  start: 'Began',
  duration: 'toUnixTimestamp64Nano(Until) - toUnixTimestamp64Nano(Began)',
  figuresKey: ['Trace', 'Trace'],
}

/** Traces of other instrumentations: live plans, each of its whole trace. */
export const FOREIGN_PLANS: PlanKind = {
  table: 'foreign_plans',
  newest: 'toStartOfHour(Start) DESC, Start DESC',
  startsSql: (database) =>
    fillSql(FOREIGN_STARTS, { database, traces_between: startBetween(database, 'foreign_plans') }),
  pageQuery(target, listing) {
    const { database } = target
    const searches = planSearchSql(target, listing, listing.traces && OF_TRACES)
    const found = searches.map(({ plans }) => `TraceId GLOBAL IN (SELECT TraceId FROM (${plans}) WHERE Plan = TraceId)`)
    const isAsked =
      listing.traces || listing.trace !== undefined
        ? [listing.traces ? 'TraceId IN {liveTraces:Array(String)}' : IN_TRACE, ...found].join(' AND ')
        : startBetween(database, 'foreign_plans', found.map((one) => `AND ${one}`).join('\n'))
    const holds = listing.trace === undefined ? IS_LISTED : IS_PLAN
    const traces = querySql('list_foreign_plans', {
      ...orderSql(target, listing, FOREIGN_COLUMNS),
      foreign_plans: foreignTraces(isAsked, holds),
      where: conditionsOf(listing, FOREIGN_COLUMNS).join(' AND ') || 'true',
    })
    return { query: fillSql(traces, { database }), params: paramsOf(listing, searches) }
  },
}

/** What holds of the figures of a plan; one that has none has no spans that tell any. */
const FIGURE_CONDITIONS = {
  minTokens: 'figure.tokens >= {minTokens:Float64}',
  minCostUsd: `figure.traceId != '' AND figure.cost >= greatest({minCostUsd:Float64} * 1000000000, 0)`,
} as const satisfies Partial<Record<keyof PlanFilters, string>>

const figureConditions = (filters: PlanFilters): string[] =>
  Object.entries(FIGURE_CONDITIONS).flatMap(([name, condition]) =>
    filters[name as keyof typeof FIGURE_CONDITIONS] === undefined ? [] : [condition],
  )

/** How a list is sorted, and what has to be joined for that or for what holds of the plans. */
function orderSql({ database }: QueryTarget, listing: Listing, columns: PlanColumns): Record<string, string> {
  const { sort, order, isWhole } = listing
  const [trace, plan] = columns.figuresKey
  const needsFigures = sort === 'tokens' || sort === 'cost' || figureConditions(listing).length > 0
  const figures = needsFigures ? tellingFiguresSql(database) : sort === 'risk' ? risksSql(database) : undefined
  const keys = ['ranked', columns.start, 'traceId', 'planId']
  return {
    rank: rankSql(sort, columns),
    page: isWhole ? '' : `ORDER BY ${keys.map((key) => `${key} ${order}`).join(', ')}\nLIMIT {limit:UInt32}`,
    figures: figures ? `LEFT JOIN (${figures}) AS figure ON figure.traceId = ${trace} AND figure.planId = ${plan}` : '',
  }
}

const paramsOf = (filters: Listing, searches: readonly PlanSearchSql[]): Record<string, unknown> => {
  const { live = [], imported = [] } = filters.traces ?? {}
  const { dialect, conventions, source, states, until, trace, minDurationMs, waitingSince } = filters
  const { minTokens, minCostUsd } = filters
  const own = {
    dialect,
    conventions,
    source,
    states,
    until: until?.toString(),
    trace,
    minDurationMs,
    minTokens,
    minCostUsd,
    waitingSince: waitingSince?.toString(),
    ...(filters.traces && { liveTraces: live, importedTraces: imported, traces: [...live, ...imported] }),
  }
  return Object.assign(own, ...searches.map(({ params }) => params)) as Record<string, unknown>
}

function conditionsOf(listing: Listing, { start, duration }: PlanColumns): string[] {
  const { dialect, conventions, source, states, until, minDurationMs, waitingSince, order, isBehind } = listing
  return [
    dialect === undefined
      ? ''
      : `(dialect = {dialect:String} OR startsWith(dialect, concat({dialect:String}, ':'))${dialect === LIVE_DIALECT ? " OR dialect = ''" : ''})`,
    conventions === undefined ? '' : 'convention IN {conventions:Array(String)}',
    source === undefined ? '' : `dialect != '' AND source = {source:String}`,
    states === undefined ? '' : 'state IN {states:Array(String)}',
    until === undefined ? '' : `${start} < fromUnixTimestamp64Nano({until:Int64})`,
    minDurationMs === undefined ? '' : `${duration} >= {minDurationMs:Float64} * 1000000`,
    waitingSince === undefined ? '' : 'ifNull(waitingFrom <= {waitingSince:Int64}, false)',
    ...figureConditions(listing),
    isBehind ? `(ranked, ${start}, traceId, planId) ${order === 'desc' ? '<' : '>'} ${CURSOR}` : '',
  ].filter((condition) => condition !== '')
}

const CURSOR =
  '({afterRank:Int64}, fromUnixTimestamp64Nano({afterStart:Int64}), {afterTrace:String}, {afterPlan:String})'
