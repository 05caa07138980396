import type { FacetsJson, FacetsQuery, ListQuery } from 'planspan/client'
import { PLAN_FILTERS, type PlanFilterName } from 'planspan/filters'

export type Facet = keyof FacetsJson['facets']

const facet = (name: Facet, filter: PlanFilterName): readonly [facet: Facet, title: string, filter: PlanFilterName] => [
  name,
  PLAN_FILTERS[filter].title,
  filter,
]

/** The facets in display order, each with its title and its filter. */
export const FACETS = [
  facet('state', 'state'),
  facet('workflow', 'workflow'),
  facet('agent', 'agent'),
  facet('tool', 'tool'),
  facet('model', 'model'),
  facet('error', 'errorType'),
  facet('unsafe', 'unsafeTaken'),
  facet('risk', 'minRisk'),
  facet('cost', 'minCostUsd'),
  facet('service', 'service'),
  facet('conversation', 'conversation'),
  facet('source', 'source'),
  facet('dialect', 'dialect'),
  facet('convention', 'convention'),
] as const

/** The URL's filters that the server accepts unchanged. `since` may be relative to now on the page. */
const SERVERS = Object.keys(PLAN_FILTERS).filter((name) => name !== 'since' && name !== 'all') as PlanFilterName[]

/** The time ranges, by their names in the URL. */
export const RANGES: readonly (readonly [word: string, title: string, ms: number])[] = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last day', 86_400_000],
  ['7d', 'Last week', 604_800_000],
  ['30d', 'Last month', 2_592_000_000],
]

/** Converts a page's query to the server's filters; relative times are relative to `now`. */
export function filtersOf(parameters: URLSearchParams, now: number): FacetsQuery {
  const given = SERVERS.map((name) => [name, parameters.get(name)] as const)
  const since = parameters.get('since')
  const range = RANGES.find(([word]) => word === since)
  return {
    ...(Object.fromEntries(given.filter(([, value]) => value !== null && value !== '')) as FacetsQuery),
    ...(range ? { since: new Date(now - range[2]).toISOString() } : since ? { since } : {}),
  }
}

/** The same, with the sort order of the list. */
export function listQueryOf(parameters: URLSearchParams, now: number): ListQuery {
  const [sort, order] = [parameters.get('sort'), parameters.get('order')]
  return {
    ...filtersOf(parameters, now),
    ...(sort ? ({ sort } as ListQuery) : {}),
    ...(order ? ({ order } as ListQuery) : {}),
  }
}

/** An active filter, as the page shows it. */
export interface ActiveFilter {
  readonly name: string
  readonly title: string
  readonly value: string
}

const TITLES = Object.entries(PLAN_FILTERS).filter(([name]) => name !== 'all')

/** Returns the active filters, with one entry per state. */
export function activeFilters(parameters: URLSearchParams): ActiveFilter[] {
  return TITLES.flatMap(([name, { title }]) => {
    const value = parameters.get(name)
    if (value === null || value === '') return []
    const values = name === 'state' ? value.split(',') : [value]
    return values.map((one) => ({ name, title, value: one }))
  })
}

/** Adds or removes a value of a filter. Only states can have several values. */
export function toggled(name: string, current: string | null, value: string): string | undefined {
  const values = current === null || current === '' ? [] : name === 'state' ? current.split(',') : [current]
  const others = values.filter((one) => one !== value)
  const isIn = others.length < values.length
  const kept = isIn ? others : name === 'state' ? [...others, value] : [value]
  return kept.length === 0 ? undefined : kept.join(',')
}
