import { allPlans, type AllPlansOptions } from './all-plans.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { fillSql, readSql } from './sql-file.js'

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

export interface FacetsOptions extends AllPlansOptions {
  /** Of each facet the values with the most plans. @default 100 */
  values?: number
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

const CONTENTS_BETWEEN = readSql('fragments/contents_between.sql').trimEnd()

interface FacetRow {
  facet: Facet | ''
  value: string
  plans: number | string
}

/** Counts the plans that are asked for by what they have. */
export async function countFacets(target: QueryTarget, options: FacetsOptions = {}): Promise<PlanFacets> {
  const { values = 100, ...chosen } = options
  const { sql, params, isOfAllTime } = allPlans(target, chosen)
  const are_of_time = isOfAllTime ? 'true' : fillSql(CONTENTS_BETWEEN, sql)
  const rows = await readRows<FacetRow>(target, querySql('facets', { ...sql, are_of_time }), { ...params, values })
  const countsOf = (name: Facet | ''): FacetCount[] =>
    rows.filter(({ facet }) => facet === name).map(({ value, plans }) => ({ value, plans: Number(plans) }))
  return {
    plans: countsOf('')[0]?.plans ?? 0,
    facets: Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)] as const)) as PlanFacets['facets'],
  }
}
