import type { PlanFilters } from './plan-filters.js'
import { FOREIGN_PLANS, OWN_PLANS } from './plan-kinds.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { ALL_PLANS, EARLIEST, LATEST } from './time-bounds.js'

/** What plans are counted by. */
export const FACETS = [
  'state',
  'workflow',
  'agent',
  'tool',
  'model',
  'error',
  'source',
  'dialect',
  'convention',
] as const
export type Facet = (typeof FACETS)[number]

export interface FacetsOptions extends PlanFilters {
  /** Of each facet the values with the most plans. @default 100 */
  values?: number
  /**
   * The time by which a silent plan counts as interrupted, nanoseconds since the Unix epoch.
   * @default the clock's
   */
  now?: bigint
}

/** A value, and how many of the plans have it. */
export interface FacetCount {
  readonly value: string
  readonly plans: number
}

export interface PlanFacets {
  /** How many plans there are. */
  readonly plans: number
  /** The values with the most plans first. */
  readonly facets: Record<Facet, FacetCount[]>
}

interface FacetRow {
  facet: Facet | ''
  value: string
  plans: number | string
}

/** Counts the plans that are asked for by what they have. */
export async function countFacets(target: QueryTarget, options: FacetsOptions = {}): Promise<PlanFacets> {
  const { database } = target
  const { since = EARLIEST, until = LATEST, values = 100, now = BigInt(Date.now()) * 1_000_000n } = options
  const listing = { ...options, sort: 'start', order: 'desc', isBehind: false } as const
  const own = OWN_PLANS.pageQuery(target, listing)
  const foreign = FOREIGN_PLANS.pageQuery(target, listing)
  const query = querySql('facets', {
    database,
    own_plans: own.query,
    foreign_plans: foreign.query,
  })
  const from = since > EARLIEST ? since : EARLIEST
  const times = { from: String(from), to: String(until), now: String(now) }
  const rows = await readRows<FacetRow>(target, query, { ...own.params, ...times, values, limit: ALL_PLANS })
  const countsOf = (name: Facet | ''): FacetCount[] =>
    rows.filter(({ facet }) => facet === name).map(({ value, plans }) => ({ value, plans: Number(plans) }))
  return {
    plans: countsOf('')[0]?.plans ?? 0,
    facets: Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)] as const)) as PlanFacets['facets'],
  }
}
