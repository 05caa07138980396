import { AS_TOLD, NO_STATE, STATE_RULES, type StateFact } from '../../mapping/index.js'
import { ATTR, isOver, type Role, STATES, type State } from '../../semconv/index.js'
import { attributeText } from '../stored-columns.js'

/**
 * What is known of a span as SQL conditions; one that is left out never holds, and `true` always does. What a span
 * tells of itself is told by `told`: a state, or '' for none.
 */
export type FactsSql = { readonly told: string } & Partial<
  Readonly<Record<Exclude<StateFact, 'tells' | 'tellsNothing' | 'tellsOver' | 'tellsWaiting'>, string>>
>

/** The rules of the mapping by which the state is decided, as SQL; '' for what has not begun. */
export function stateSql({ told, ...rest }: FactsSql): string {
  const facts: Partial<Record<StateFact, string>> = {
    ...rest,
    tells: `${told} != ''`,
    tellsNothing: `${told} = ''`,
    tellsOver: `${told} IN (${OVER})`,
    tellsWaiting: `${told} = 'waiting'`,
  }
  const branches: string[] = []
  for (const { when, state } of STATE_RULES) {
    const conditions = when.map((fact) => facts[fact] ?? NEVER).filter((condition) => condition !== ALWAYS)
    if (conditions.includes(NEVER)) continue
    const result = state === AS_TOLD ? told : state === NO_STATE ? "''" : `'${state}'`
    if (conditions.length === 0) return branches.length === 0 ? result : `multiIf(${[...branches, result].join(', ')})`
    branches.push(conditions.length === 1 ? (conditions[0] ?? NEVER) : `(${conditions.join(') AND (')})`, result)
  }
  throw new Error('No rule decides what no other does.')
}

export const ALWAYS = 'true'
const NEVER = 'false'

const literals = (states: readonly State[]): string => states.map((state) => `'${state}'`).join(', ')

/** The states of what is over, for IN. */
export const OVER = literals(STATES.filter((state) => isOver(state)))

/**
 * Where a span stands by one row of it alone, by `span` and `Pending`: as the rules say of one that has ended, else as
 * it says itself; '' for nothing.
 */
export function toldSql(role: Role): string {
  const state = attributeText(ATTR.state)
  const says = `${state} IN (${literals(STATES)}) AND NOT (Pending AND ${state} IN (${OVER})), ${state}`
  const waits = role === 'wait' ? `, ${attributeText(ATTR.waitWaiting)} = 'true', 'waiting'` : ''
  const ended = stateSql({
    told: 'Says',
    ended: ALWAYS,
    hasError: "span.StatusCode = 'Error'",
    ...(role === 'agent' && {
      notBegun: `${attributeText(ATTR.status)} != '' AND ${attributeText(ATTR.recordDialect)} = ''`,
    }),
  })
  return `if(Pending, multiIf(${says}${waits}, '') AS Says, ${ended})`
}

/** What the columns `Told` and `Ended` tell. */
export const spanFacts = (role: Role): FactsSql => ({
  told: 'Told',
  ended: 'Ended',
  // What has ended and tells nothing by itself has not begun.
  ...(role === 'agent' && { notBegun: ALWAYS }),
  ...(role === 'plan' && { isPlan: ALWAYS }),
  ...(role === 'wait' && { isWait: ALWAYS }),
})

/** Where an agent stands by one row of it alone: what it tells, as `AgentTold`, and the state that follows. */
export const AGENT_ROW = {
  told: toldSql('agent'),
  state: stateSql({ ...spanFacts('agent'), told: 'AgentTold', ended: 'NOT Pending' }),
}

/**
 * Whether the plan of a row of `plan_states` may be open, by its column `Latest`: it has not ended, or waits. At least
 * one row of an open plan says so.
 */
export const MAY_BE_OPEN = '(NOT bitTest(toUInt64(Latest), 31) OR bitTest(toUInt64(Latest), 0))::UInt8'
