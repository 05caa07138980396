import { FOREIGN_SEARCHED } from './foreign/searched-spans.js'
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
  /** Classes of errors, as `error.type` tells them. */
  errors?: readonly string[]
  /** Names of services. */
  services?: readonly string[]
  /** Ids of conversations or sessions. */
  conversations?: readonly string[]
  /** A risk score at least as high. */
  minRisk?: number
  /** At least as many tokens in all its model calls. */
  minTokens?: number
  /** A text in the first 500 characters of the title or the request of the plan itself, in upper or lower case. */
  text?: string
}

/** Per criterion: the spans that matter, and what must hold of a plan's; each span's tokens count once. */
const CRITERIA = {
  agents: ['AgentName IN {agents:Array(String)}', 'countIf(AgentName IN {agents:Array(String)}) > 0'],
  tools: ['ToolName IN {tools:Array(String)}', 'countIf(ToolName IN {tools:Array(String)}) > 0'],
  models: [
    '(Model IN {models:Array(String)} OR ResponseModel IN {models:Array(String)})',
    'countIf(Model IN {models:Array(String)} OR ResponseModel IN {models:Array(String)}) > 0',
  ],
  errors: ['ErrorType IN {errors:Array(String)}', 'countIf(ErrorType IN {errors:Array(String)}) > 0'],
  services: ['ServiceName IN {services:Array(String)}', 'countIf(ServiceName IN {services:Array(String)}) > 0'],
  conversations: [
    'ConversationId IN {conversations:Array(String)}',
    'countIf(ConversationId IN {conversations:Array(String)}) > 0',
  ],
  minRisk: ['RiskScore >= {minRisk:Float64}', 'countIf(RiskScore >= {minRisk:Float64}) > 0'],
  minTokens: [
    "Role = 'llm'",
    "arraySum(call -> call.2, groupUniqArrayIf((SpanId, Tokens), Role = 'llm')) >= {minTokens:Int64}",
  ],
} as const satisfies Partial<Record<keyof PlanSearch, readonly [spans: string, holds: string]>>

type Criterion = keyof typeof CRITERIA
const isCriterion = (name: string): name is Criterion => name in CRITERIA

export interface PlanSearchSql {
  /** A query for the plans, as `TraceId` and `Plan`; `Plan` is '' for the whole trace, as which an import is listed. */
  readonly plans: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The searches as SQL, for plans that start at `{from:Int64}` or later. */
export function planSearchSql({ database }: Pick<QueryTarget, 'database'>, search: PlanSearch): PlanSearchSql[] {
  const { text, ...rest } = search
  const asked = Object.entries(rest).filter(([name, value]) => isCriterion(name) && value !== undefined)
  const criteria = asked.map(([name]) => CRITERIA[name as Criterion])
  return [
    ...(criteria.length === 0
      ? []
      : [
          {
            plans: querySql('plans_with_spans', {
              foreign_spans: fillSql(FOREIGN_SEARCHED, { database }),
              database,
              spans: criteria.map(([spans]) => spans).join(' OR '),
              holds: criteria.map(([, holds]) => holds).join(' AND '),
            }),
            params: Object.fromEntries(asked),
          },
        ]),
    ...(text === undefined ? [] : [{ plans: querySql('plans_with_text', { database }), params: { text } }]),
  ]
}
