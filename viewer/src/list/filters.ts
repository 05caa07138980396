import type { FacetsJson, FacetsQuery, ListQuery } from 'planspan/client'
import { PLAN_FILTERS, type PlanFilterName } from 'planspan/filters'

export type Facet = keyof FacetsJson['facets']

const facet = (name: Facet, filter: PlanFilterName): readonly [facet: Facet, title: string, filter: PlanFilterName] => [
  name,
  PLAN_FILTERS[filter].title,
  filter,
]

/** The facets in the order of the page, each with its title and the filter that its values are for. */
export const FACETS = [
  facet('state', 'state'),
  facet('workflow', 'workflow'),
  facet('agent', 'agent'),
  facet('tool', 'tool'),
  facet('model', 'model'),
  facet('error', 'errorType'),
  facet('source', 'source'),
  facet('dialect', 'dialect'),
  facet('convention', 'convention'),
] as const

/** The filters that the page passes to the server unchanged. `since` may be relative to now on the page. */
const SERVERS = Object.keys(PLAN_FILTERS).filter((name) => name !== 'since' && name !== 'all') as PlanFilterName[]

/** How long ago plans began at most, by the word for it in the URL. */
export const RANGES: readonly (readonly [word: string, title: string, ms: number])[] = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last day', 86_400_000],
  ['7d', 'Last week', 604_800_000],
  ['30d', 'Last month', 2_592_000_000],
]

/** What the server is asked for by a page's query; a time that is relative is so to `now`. */
export function filtersOf(parameters: URLSearchParams, now: number): FacetsQuery {
  const given = SERVERS.map((name) => [name, parameters.get(name)] as const)
  const since = parameters.get('since')
  const range = RANGES.find(([word]) => word === since)
  return {
    ...(Object.fromEntries(given.filter(([, value]) => value !== null && value !== '')) as FacetsQuery),
    ...(range ? { since: new Date(now - range[2]).toISOString() } : since ? { since } : {}),
  }
}

/** The same with the order of the list. */
export function listQueryOf(parameters: URLSearchParams, now: number): ListQuery {
  const [sort, order] = [parameters.get('sort'), parameters.get('order')]
  return {
    ...filtersOf(parameters, now),
    ...(sort ? ({ sort } as ListQuery) : {}),
    ...(order ? ({ order } as ListQuery) : {}),
  }
}

/** A filter that is in force, as the page tells of it. */
export interface ActiveFilter {
  readonly name: string
  readonly title: string
  readonly value: string
}

const TITLES = Object.entries(PLAN_FILTERS).filter(([name]) => name !== 'all')

/** The filters in force, those of states each by itself. */
export function activeFilters(parameters: URLSearchParams): ActiveFilter[] {
  return TITLES.flatMap(([name, { title }]) => {
    const value = parameters.get(name)
    if (value === null || value === '') return []
    const values = name === 'state' ? value.split(',') : [value]
    return values.map((one) => ({ name, title, value: one }))
  })
}

/** The value of a filter with one of its values put in or taken out; of all but states there is one at most. */
export function toggled(name: string, current: string | null, value: string): string | undefined {
  const values = current === null || current === '' ? [] : name === 'state' ? current.split(',') : [current]
  const others = values.filter((one) => one !== value)
  const isIn = others.length < values.length
  const kept = isIn ? others : name === 'state' ? [...others, value] : [value]
  return kept.length === 0 ? undefined : kept.join(',')
}
