import { isOver, STATES, type State } from '../../semconv/index.js'
import type { PlanTotals } from './comparison.js'

/** The values of a plan that count in a set. */
export interface SetMember extends Pick<
  PlanTotals,
  | 'state'
  | 'failures'
  | 'tokens'
  | 'costUsd'
  | 'durationMs'
  | 'risk'
  | 'judged'
  | 'unsafe'
  | 'unsafeStopped'
  | 'unsafeTaken'
> {
  /** The score of a benchmark, 1 for success. Undefined for a plan without a benchmark. */
  readonly score?: number
}

/** The distribution of a value over the plans that have it. */
export interface Spread {
  readonly plans: number
  readonly sum: number
  readonly mean: number
  readonly median: number
  readonly most: number
}

/** How often something occurs, and in how many plans. */
export interface Tally {
  readonly count: number
  readonly plans: number
}

/** The totals of a set of plans. */
export interface SetTotals {
  readonly plans: number
  readonly states: Partial<Record<State, number>>
  /**
   * With scores: the plans with a score, and those with 1 or more. Without scores: the plans that are over, and those
   * that completed.
   */
  readonly success: { readonly of: number; readonly succeeded: number }
  readonly score: Spread | null
  readonly failures: Tally
  readonly judged: Tally
  readonly unsafe: Tally
  readonly unsafeStopped: Tally
  readonly unsafeTaken: Tally
  readonly risk: Spread | null
  readonly tokens: Spread | null
  readonly costUsd: Spread | null
  readonly durationMs: Spread | null
}

/** Sums up a set of plans. */
export function setTotals(members: readonly SetMember[]): SetTotals {
  const spread = (key: 'score' | 'risk' | 'tokens' | 'costUsd' | 'durationMs') =>
    spreadOf(members.flatMap((member) => member[key] ?? []))
  const tally = (key: 'failures' | 'judged' | 'unsafe' | 'unsafeStopped' | 'unsafeTaken') =>
    tallyOf(members.map((member) => member[key]))
  const states = STATES.map((state) => [state, members.filter((member) => member.state === state).length] as const)
  return {
    plans: members.length,
    states: Object.fromEntries(states.filter(([, count]) => count > 0)),
    success: successOf(members),
    score: spread('score'),
    failures: tally('failures'),
    judged: tally('judged'),
    unsafe: tally('unsafe'),
    unsafeStopped: tally('unsafeStopped'),
    unsafeTaken: tally('unsafeTaken'),
    risk: spread('risk'),
    tokens: spread('tokens'),
    costUsd: spread('costUsd'),
    durationMs: spread('durationMs'),
  }
}

function successOf(members: readonly SetMember[]): SetTotals['success'] {
  const scores = members.flatMap(({ score }) => score ?? [])
  if (scores.length > 0) return { of: scores.length, succeeded: scores.filter((score) => score >= 1).length }
  const over = members.filter(({ state }) => isOver(state))
  return { of: over.length, succeeded: over.filter(({ state }) => state === 'completed').length }
}

const tallyOf = (counts: readonly number[]): Tally => ({
  count: counts.reduce((sum, count) => sum + count, 0),
  plans: counts.filter((count) => count > 0).length,
})

function spreadOf(values: readonly number[]): Spread | null {
  const ascending = values.toSorted((a, b) => a - b)
  const [low, high] = [ascending[(values.length - 1) >>> 1], ascending[values.length >>> 1]]
  if (low === undefined || high === undefined) return null
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    plans: values.length,
    sum,
    mean: sum / values.length,
    median: (low + high) / 2,
    most: ascending.at(-1) ?? high,
  }
}
