import { PlanspanError } from '../error.js'
import { STATES } from '../semconv/index.js'
import { IS_LISTED, IS_PLAN } from './foreign/plan-rows.js'
import { generationsSql } from './generations.js'
import type { ListPlansOptions } from './list-plans.js'
import { planSearchSql, type PlanSearchSql } from './plan-search.js'
import { querySql, type QueryTarget } from './query.js'
import { LIVE_DIALECT } from './select-trace.js'
import { fillSql } from './sql-file.js'
import { foreignTraces } from './views/fragments.js'
import { planStateSql } from './views/state-sql.js'

interface PageQuery {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Plans of a kind: the table that tells when their traces begin, and the query for a page of them. */
export interface PlanKind {
  readonly table: string
  pageQuery(target: QueryTarget, options: ListPlansOptions): PageQuery
}

/** The plans of planspan's own spans. */
export const OWN_PLANS: PlanKind = {
  table: 'plan_states',
  pageQuery(target, options) {
    const { database } = target
    const searches = planSearchSql(target, options)
    const among = searches.map(({ plans }) => `AND TraceId GLOBAL IN (SELECT TraceId FROM (${plans}))`).join('\n')
    const where =
      options.trace === undefined ? querySql('traces_between', { database, among }) : 'TraceId = {trace:String}'
    const traces = querySql('traces', { database, where })
    const generations = options.all === true ? traces : generationsSql(traces, 'deciding')
    const found = searches.map(
      ({ plans }) => `(traceId, if(dialect = '', planId, '')) GLOBAL IN (SELECT TraceId, Plan FROM (${plans}))`,
    )
    const conditions = [...conditionsOf(options, 'plan.Start'), ...found]
    const query = querySql('list_plans', {
      generations,
      where: conditions.join(' AND ') || 'true',
      state: planStateSql('{now:Int64}'),
    })
    return { query, params: paramsOf(options, searches) }
  },
}

/** Traces of other instrumentations: live plans, each of its whole trace. */
export const FOREIGN_PLANS: PlanKind = {
  table: 'foreign_plans',
  pageQuery(target, options) {
    const { database } = target
    const searches = planSearchSql(target, options)
    const found = searches.map(({ plans }) => `TraceId GLOBAL IN (SELECT TraceId FROM (${plans}) WHERE Plan = TraceId)`)
    const between = querySql('foreign_traces_between', { database, among: found.map((one) => `AND ${one}`).join('\n') })
    const isAsked = options.trace === undefined ? between : 'TraceId = {trace:String}'
    const holds = options.trace === undefined ? IS_LISTED : IS_PLAN
    const traces = querySql('list_foreign_plans', {
      foreign_plans: foreignTraces([isAsked, ...(options.trace === undefined ? [] : found)].join(' AND '), holds),
      where: conditionsOf(options, 'Began').join(' AND ') || 'true',
    })
    return { query: fillSql(traces, { database }), params: paramsOf(options, searches) }
  },
}

const paramsOf = (options: ListPlansOptions, searches: readonly PlanSearchSql[]): Record<string, unknown> => {
  const { dialect, source, states, until, trace } = options
  const own = { dialect, source, states, until: until?.toString(), trace }
  return Object.assign(own, ...searches.map(({ params }) => params)) as Record<string, unknown>
}

function conditionsOf({ dialect, source, states, until, cursor }: ListPlansOptions, start: string): string[] {
  const unknown = states?.find((state) => !STATES.includes(state))
  if (unknown !== undefined) {
    throw new PlanspanError('usage', `${JSON.stringify(unknown)} is no state. States are ${STATES.join(', ')}.`)
  }
  return [
    dialect === undefined
      ? ''
      : `(dialect = {dialect:String} OR startsWith(dialect, concat({dialect:String}, ':'))${dialect === LIVE_DIALECT ? " OR dialect = ''" : ''})`,
    source === undefined ? '' : `dialect != '' AND source = {source:String}`,
    states === undefined ? '' : 'state IN {states:Array(String)}',
    until === undefined ? '' : `${start} < fromUnixTimestamp64Nano({until:Int64})`,
    cursor === undefined ? '' : `(${start}, traceId, planId) < ${CURSOR}`,
  ].filter((condition) => condition !== '')
}

const CURSOR = '(fromUnixTimestamp64Nano({afterStart:Int64}), {afterTrace:String}, {afterPlan:String})'
