import { ATTR } from '../semconv/index.js'
import { ANSWER } from './foreign/request-sql.js'
import { FOREIGN_SEARCHED } from './foreign/searched-spans.js'
import { querySql, type QueryTarget } from './query.js'
import { fillSql, readSql } from './sql-file.js'
import { attributeText } from './stored-columns.js'
import { messagesText } from './views/column.js'

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
   * A text in the first 500 characters of the title or the request of the plan itself, or in its answer, in upper or
   * lower case.
   */
  text?: string
}

/** A criterion: which spans matter to it, and what must hold of a plan's. */
type OfSpans = readonly [spans: string, holds: string]

const someSpan = (condition: string): OfSpans => [condition, `countIf(${condition}) > 0`]

const OF_SPANS = {
  agents: someSpan('AgentName IN {agents:Array(String)}'),
  tools: someSpan('ToolName IN {tools:Array(String)}'),
  models: someSpan('(Model IN {models:Array(String)} OR ResponseModel IN {models:Array(String)})'),
  failed: someSpan('HasError'),
  errorTypes: someSpan('ErrorType IN {errorTypes:Array(String)}'),
  errorText: someSpan('positionCaseInsensitiveUTF8(ErrorText, {errorText:String}) > 0'),
  services: someSpan('ServiceName IN {services:Array(String)}'),
  conversations: someSpan('ConversationId IN {conversations:Array(String)}'),
} as const satisfies Partial<Record<keyof PlanSearch, OfSpans>>

const OWN_ANSWERS = `[${attributeText(ATTR.planSummary)}, ${messagesText(attributeText(ATTR.outputMessages))}]`

export interface PlanSearchSql {
  /** A query for the plans, as `TraceId` and `Plan`; `Plan` is '' for the whole trace, as which an import is listed. */
  readonly plans: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The searches as SQL, for plans that start at `{from:Int64}` or later. */
export function planSearchSql({ database }: Pick<QueryTarget, 'database'>, search: PlanSearch): PlanSearchSql[] {
  const ofSpans = asked(search)
  const { workflows, text } = search
  const searches: PlanSearchSql[] = []
  if (ofSpans.criteria.length > 0) {
    const plans = querySql('plans_with_spans', {
      searched_spans: searchedSpansSql(database, ofSpans.criteria.map(([spans]) => spans).join(' OR ')),
      holds: ofSpans.criteria.map(([, holds]) => holds).join(' AND '),
    })
    searches.push({ plans, params: ofSpans.params })
  }
  if (workflows) searches.push({ plans: querySql('plans_with_workflow', { database }), params: { workflows } })
  if (text !== undefined) {
    const plans = querySql('plans_with_text', { database, own_answers: OWN_ANSWERS, foreign_answers: `[${ANSWER}]` })
    searches.push({ plans, params: { text } })
  }
  return searches
}

/** A query for those spans of plans that start at `{from:Int64}` or later for which a condition holds. */
export const searchedSpansSql = (database: string, spans: string): string =>
  fillSql(SEARCHED_SPANS, { foreign_spans: fillSql(FOREIGN_SEARCHED, { database }), database, spans })

const SEARCHED_SPANS = readSql('fragments/searched_spans.sql').trimEnd()

/** The criteria that a search asks for, with their parameters. */
function asked(search: PlanSearch) {
  const given = Object.entries(OF_SPANS).flatMap(([name, criterion]) => {
    const value = search[name as keyof typeof OF_SPANS]
    return value === undefined ? [] : [{ name, value, criterion }]
  })
  return {
    criteria: given.map(({ criterion }) => criterion),
    params: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  }
}
