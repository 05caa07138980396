import { PlanspanError } from '../../error.js'
import { type State, STATES } from '../../semconv/index.js'
import { stateAt } from '../row-tables/index.js'
import { LIVE_DIALECT } from '../records/select-trace.js'

/** The plans to select. All filters have to match; a filter with several values matches any of them. */
export interface PlanFilters {
  /**
   * Records of this dialect: its imports, and live plans for theirs. `plan-act` includes `plan-act:sse` and its other
   * serializations.
   */
  dialect?: string
  /** Plans that other instrumentations sent by one of these conventions. */
  conventions?: readonly string[]
  /** Imports of this source; '' is the source of imports without one. */
  source?: string
  /** Plans in one of these states. */
  states?: readonly State[]
  /** Plans of this trace, including a foreign trace that contains only model calls. */
  trace?: string
  /** Plans that started at this time or later, nanoseconds since the Unix epoch. */
  since?: bigint
  /** Plans that started before this time, nanoseconds since the Unix epoch. */
  until?: bigint
  /** Plans that took at least this long, milliseconds. */
  minDurationMs?: number
  /** Plans with at least this many tokens in all their model calls. */
  minTokens?: number
  /** Plans whose priced model calls cost at least this many US dollars. */
  minCostUsd?: number
  /** Plans with a risk score at least this high. */
  minRisk?: number
  /** Plans in which unsafe actions were executed, or not. */
  unsafeTaken?: boolean
  /** Plans that have waited for a person since this time or longer, nanoseconds since the Unix epoch. */
  waitingSince?: bigint
  /** Plans with one of these agents. */
  agents?: readonly string[]
  /** Plans with a call of one of these tools. */
  tools?: readonly string[]
  /** Plans with a call of one of these models, requested or answering. */
  models?: readonly string[]
  /** Plans in which something failed. */
  failed?: true
  /** Plans with an error of one of these classes, as in `error.type`. */
  errorTypes?: readonly string[]
  /** Plans with this text in the class or the message of an error, in upper or lower case. */
  errorText?: string
  /** Plans with spans of one of these services. */
  services?: readonly string[]
  /** Plans of one of these conversations or sessions. */
  conversations?: readonly string[]
  /** Plans of one of these workflows. */
  workflows?: readonly string[]
  /**
   * Plans with this text, in upper or lower case, in the first 500 characters of the title or the request, in the first
   * 1,000 characters of the answer, or in the class or the message of an error.
   */
  text?: string
  /**
   * Whether to include the imports that a later import of the same record replaces.
   * @default false
   */
  all?: boolean
}

/** Filters, and the time at which they apply. */
export interface PlanSelection extends PlanFilters {
  /**
   * The time by which a silent plan counts as interrupted, nanoseconds since the Unix epoch.
   * @default the current time
   */
  now?: bigint
}

const timeOf = (name: string): string => `fromUnixTimestamp64Nano({${name}:Int64})`

const holds = (name: string): string => `positionCaseInsensitiveUTF8(${name}) > 0`

/** The state of a plan at the time of the selection. */
export const PLAN_STATE = stateAt(timeOf('now'))

/** The time since which a plan waits; NULL unless it waits at the time of the selection. */
export const WAITING_SINCE = `if(${PLAN_STATE} = 'waiting', WaitingSince, NULL)`

/** From the start of a plan to its latest end, nanoseconds. */
export const PLAN_DURATION = 'toUnixTimestamp64Nano(LastSeen) - toUnixTimestamp64Nano(Timestamp)'

/** Each filter as a condition on a row of `plan_rows`. Its value is the parameter of the same name. */
const CONDITIONS: Readonly<Record<Exclude<keyof PlanFilters, 'all'>, string>> = {
  dialect: `(Dialect = {dialect:String} OR startsWith(Dialect, concat({dialect:String}, ':')) OR (Dialect = '' AND {dialect:String} = '${LIVE_DIALECT}'))`,
  conventions: 'Convention IN {conventions:Array(String)}',
  source: `Dialect != '' AND Source = {source:String}`,
  states: `${PLAN_STATE} IN {states:Array(String)}`,
  trace: 'TraceId = {trace:String}',
  since: `Timestamp >= ${timeOf('since')}`,
  until: `Timestamp < ${timeOf('until')}`,
  minDurationMs: `${PLAN_DURATION} >= {minDurationMs:Float64} * 1000000`,
  minTokens: 'TotalTokens >= {minTokens:Float64}',
  minCostUsd: 'ifNull(CostUsd >= {minCostUsd:Float64}, false)',
  minRisk: 'ifNull(Risk >= {minRisk:Float64}, false)',
  unsafeTaken: '(UnsafeTaken > 0) = {unsafeTaken:Bool}',
  waitingSince: `ifNull(${WAITING_SINCE} <= ${timeOf('waitingSince')}, false)`,
  agents: 'hasAny(Agents, {agents:Array(String)})',
  tools: 'hasAny(Tools, {tools:Array(String)})',
  models: 'hasAny(Models, {models:Array(String)})',
  failed: 'Failures > 0',
  errorTypes: 'hasAny(ErrorTypes, {errorTypes:Array(String)})',
  errorText: holds('ErrorText, {errorText:String}'),
  services: 'hasAny(Services, {services:Array(String)})',
  conversations: 'hasAny(Conversations, {conversations:Array(String)})',
  workflows: `Role = 'plan' AND Name IN {workflows:Array(String)}`,
  text: `(${['ShownTitle', 'ShownRequest', 'ShownAnswer', 'ErrorText'].map((name) => holds(`${name}, {text:String}`)).join(' OR ')})`,
}

export interface PlanCondition {
  /** A condition on the rows of `plan_rows`. */
  readonly where: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Returns the condition that selects plans. Throws `usage` for an unknown state. */
export function planCondition({ all = false, now = unixNanoNow(), ...filters }: PlanSelection): PlanCondition {
  checkStates(filters.states ?? [])
  const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]
  const given = names.filter((name) => filters[name] !== undefined)
  const listed = filters.trace === undefined ? 'Listed = 2' : 'Listed > 0'
  return {
    where: [listed, ...(all ? [] : ['NOT Superseded']), ...given.map((name) => CONDITIONS[name])].join(' AND '),
    params: { now: String(now), ...Object.fromEntries(given.map((name) => [name, toParameter(filters[name])])) },
  }
}

/** Times are limited to those that ClickHouse can compare. */
function toParameter(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return String(value < EARLIEST ? EARLIEST : value > LATEST ? LATEST : value)
}

function checkStates(states: readonly string[]): void {
  const unknown = states.find((state) => !STATES.some((known) => known === state))
  if (unknown === undefined) return
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(unknown)} is not a valid state. Valid values are ${STATES.join(', ')}.`,
  )
}

// The year 1900: ClickHouse sends bounds to its shards as text and cannot parse earlier ones.
const EARLIEST = -2_208_988_800_000_000_000n
const LATEST = 2n ** 63n - 1n

/** The current time, nanoseconds since the Unix epoch. */
export const unixNanoNow = (): bigint => BigInt(Date.now()) * 1_000_000n
