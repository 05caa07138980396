import { FOREIGN_ERRORS } from './foreign/searched-spans.js'
import { querySql, type QueryTarget } from './query.js'
import { fillSql } from './sql-file.js'

/** What a plan has to have somewhere in it, its sub-plans included; of several values of a kind one is enough. */
export interface PlanSearch {
  /** Names of agents. */
  agents?: readonly string[]
  /** Names of tools. */
  tools?: readonly string[]
  /** Models, asked for or answering. */
  models?: readonly string[]
  /** Whether anything in it failed. */
  failed?: true
  /** Classes of errors, as `error.type` tells them. */
  errorTypes?: readonly string[]
  /** A text in the class or the message of an error, in upper or lower case. */
  errorText?: string
  /** Names of services. */
  services?: readonly string[]
  /** Ids of conversations or sessions. */
  conversations?: readonly string[]
  /** Workflows, of the plan itself. */
  workflows?: readonly string[]
  /**
   * A text in the first 500 characters of the title or the request of the plan itself, or in the first 1,000 of its
   * answer, in upper or lower case.
   */
  text?: string
  /** A risk that a guardrail saw, at least as high. */
  minRisk?: number
}

/** What must hold of a row of `plan_contents` of the plan or of one below it. */
const OF_CONTENTS = {
  agents: 'hasAny(Agents, {agents:Array(String)})',
  tools: 'hasAny(Tools, {tools:Array(String)})',
  models: 'hasAny(Models, {models:Array(String)})',
  failed: 'HasError',
  errorTypes: 'hasAny(ErrorTypes, {errorTypes:Array(String)})',
  services: 'hasAny(Services, {services:Array(String)})',
  conversations: 'hasAny(Conversations, {conversations:Array(String)})',
  minRisk: 'ifNull(Risk >= {minRisk:Float64}, false)',
} as const satisfies Partial<Record<keyof PlanSearch, string>>

export interface PlanSearchSql {
  /** A query for the plans, as `TraceId` and `Plan`; `Plan` is '' for the whole trace, as which an import is listed. */
  readonly plans: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The searches as SQL, for plans that start at `{from:Int64}` or later; `of_traces` says in which traces. */
export function planSearchSql(
  { database }: Pick<QueryTarget, 'database'>,
  search: PlanSearch,
  of_traces = '',
): PlanSearchSql[] {
  const ofContents = asked(search)
  const { workflows, text, errorText } = search
  const searches: PlanSearchSql[] = []
  if (ofContents.conditions.length > 0) {
    const plans = querySql('plans_with_contents', {
      database,
      of_traces,
      has: ofContents.conditions.join(' OR '),
      holds: ofContents.conditions.map((condition) => `countIf(${condition}) > 0`).join(' AND '),
    })
    searches.push({ plans, params: ofContents.params })
  }
  if (errorText !== undefined) {
    const foreign_errors = fillSql(FOREIGN_ERRORS, { database, of_traces })
    const plans = querySql('plans_with_error', { database, of_traces, foreign_errors })
    searches.push({ plans, params: { errorText } })
  }
  if (workflows) {
    searches.push({ plans: querySql('plans_with_workflow', { database, of_traces }), params: { workflows } })
  }
  if (text !== undefined) {
    searches.push({ plans: querySql('plans_with_text', { database, of_traces }), params: { text } })
  }
  return searches
}

/** The criteria that a search asks for, with their parameters. */
function asked(search: PlanSearch) {
  const given = Object.entries(OF_CONTENTS).flatMap(([name, condition]) => {
    const value = search[name as keyof typeof OF_CONTENTS]
    return value === undefined ? [] : [{ name, value, condition }]
  })
  return {
    conditions: given.map(({ condition }) => condition),
    params: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  }
}
