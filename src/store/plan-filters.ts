import { PlanspanError } from '../error.js'
import { type State, STATES } from '../semconv/index.js'
import type { PlanSearch } from './plan-search.js'

/** Which plans are asked for. */
export interface PlanFilters extends PlanSearch {
  /**
   * Only plans whose records are of this dialect: its imports, and live plans for theirs; `plan-act` also stands for
   * `plan-act:sse` and its like.
   */
  dialect?: string
  /** Only plans that other instrumentations told of, by one of these conventions. */
  conventions?: readonly string[]
  /** Only imports of this source; '' is the source of those that named none. */
  source?: string
  /** Only plans in one of these states. */
  states?: readonly State[]
  /** Only plans of this trace; a foreign one of model calls alone is found so, too. */
  trace?: string
  /** Only plans that started at this time or later, nanoseconds since the Unix epoch. */
  since?: bigint
  /** Only plans that started before this time, nanoseconds since the Unix epoch. */
  until?: bigint
  /** Only plans that took at least so long, milliseconds. */
  minDurationMs?: number
  /** Only plans with at least so many tokens in all their model calls. */
  minTokens?: number
  /** Only plans whose model calls, as far as their price is known, cost at least so many US dollars. */
  minCostUsd?: number
  /** Only plans that have waited since this time or longer, nanoseconds since the Unix epoch. */
  waitingSince?: bigint
  /**
   * Every generation of an imported record, not the deciding one alone.
   * @default false
   */
  all?: boolean
}

/** What lets some plans of a time or a trace through alone. */
const SELECTIVE: Readonly<Record<Exclude<keyof PlanFilters, 'trace' | 'since' | 'until' | 'all'>, true>> = {
  dialect: true,
  conventions: true,
  source: true,
  states: true,
  minDurationMs: true,
  minTokens: true,
  minCostUsd: true,
  waitingSince: true,
  agents: true,
  tools: true,
  models: true,
  failed: true,
  errorTypes: true,
  errorText: true,
  services: true,
  conversations: true,
  workflows: true,
  text: true,
  minRisk: true,
}

/** Whether some plans of the time are left out. */
export const isFiltered = (filters: PlanFilters): boolean =>
  Object.keys(SELECTIVE).some((name) => filters[name as keyof PlanFilters] !== undefined)

/** Throws `usage` for a state that is none. */
export function checkFilters({ states }: PlanFilters): void {
  const unknown = states?.find((state) => !STATES.includes(state))
  if (unknown === undefined) return
  throw new PlanspanError('usage', `${JSON.stringify(unknown)} is no state. States are ${STATES.join(', ')}.`)
}
