import { PLAN_STATE, planCondition, type PlanSelection } from './plan-filters.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** The facets by which plans are counted. */
export const FACETS = [
  'state',
  'workflow',
  'agent',
  'tool',
  'model',
  'error',
  'unsafe',
  'risk',
  'cost',
  'service',
  'conversation',
  'source',
  'dialect',
  'convention',
] as const
export type Facet = (typeof FACETS)[number]

/** SQL for the thresholds that a figure of a plan reaches. */
const reached = (figure: string, thresholds: readonly string[]): string =>
  `arrayFilter(least -> ifNull(${figure} >= toFloat64(least), false), [${thresholds.map((one) => `'${one}'`).join(', ')}])`

/** The values of a plan for each facet, as SQL for an array of texts over a row of `plan_rows`. */
const VALUES: Readonly<Record<Facet, string>> = {
  state: `[toString(${PLAN_STATE})]`,
  workflow: `if(Role = 'plan' AND Name != '', [toString(Name)], [])`,
  agent: 'Agents',
  tool: 'Tools',
  model: 'Models',
  error: 'ErrorTypes',
  unsafe: `if(UnsafeTaken > 0, ['true'], [])`,
  risk: reached('Risk', ['0.9', '0.7', '0.4']),
  cost: reached('CostUsd', ['10', '1', '0.1', '0.01']),
  service: 'Services',
  conversation: 'Conversations',
  source: `if(Dialect = '', [], [Source])`,
  dialect: `if(Dialect = '', [], [toString(Dialect)])`,
  convention: `if(Convention = '', [], [toString(Convention)])`,
}

export interface FacetsOptions extends PlanSelection {
  /** The maximum number of values per facet; the values with the most plans are returned. @default 100 */
  values?: number
}

/** A value, and the number of plans that have it. */
export interface FacetCount {
  readonly value: string
  readonly plans: number
}

export interface PlanFacets {
  /** The number of plans. */
  readonly plans: number
  /** The values with the most plans first. */
  readonly facets: Record<Facet, FacetCount[]>
}

interface FacetRow {
  readonly facet: Facet | ''
  readonly value: string
  readonly plans: number | string
}

const FACET_NAMES = `['', ${FACETS.map((facet) => `'${facet}'`).join(', ')}]`
const FACET_VALUES = `[[''], ${FACETS.map((facet) => VALUES[facet]).join(', ')}]`

/** Counts the selected plans by their values. */
export async function countFacets(target: QueryTarget, options: FacetsOptions = {}): Promise<PlanFacets> {
  const { values = 100, ...selection } = options
  const { where, params } = planCondition(selection)
  const named = { database: target.database, facets: FACET_NAMES, values: FACET_VALUES, where }
  await target.indexed?.()
  const rows = await readRows<FacetRow>(target, querySql('facets', named), { ...params, values })
  const countsOf = (name: Facet | ''): FacetCount[] =>
    rows.filter(({ facet }) => facet === name).map(({ value, plans }) => ({ value, plans: Number(plans) }))
  return {
    plans: countsOf('')[0]?.plans ?? 0,
    facets: Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)] as const)) as PlanFacets['facets'],
  }
}
