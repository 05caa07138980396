import type { ExportQuery, ListQuery } from '../client/index.js'
import { describedFilter, type FilterKind, PLAN_FILTERS, type PlanFilterName } from '../wire/filters/index.js'
import type { CommandLine, Options } from './command.js'
import { timeOption } from './option-values.js'

/** `minRisk` → `min-risk`. */
type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${KebabCase<Rest>}`
    : `-${Lowercase<First>}${KebabCase<Rest>}`
  : ''
const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export interface FilterOption<Type extends 'string' | 'boolean'> {
  readonly type: Type
  readonly valueHint?: string
  readonly description: string
}
type FilterOptions = {
  readonly [Name in PlanFilterName as KebabCase<Name>]: FilterOption<
    (typeof PLAN_FILTERS)[Name]['kind'] extends 'boolean' ? 'boolean' : 'string'
  >
}

const FORMS: Partial<Record<FilterKind, string>> = {
  states: 'separated by commas',
  time: '2026-03-04, 2026-03-04T12:00:00Z, or 90m, 24h or 7d ago',
  duration: 'such as 90s, 2h or 3d',
}

/** The options that select plans, from the filters of the HTTP interface. */
export const planFilters = Object.fromEntries(
  Object.entries(PLAN_FILTERS).map(([name, filter]) => [
    kebabCase(name),
    {
      type: filter.kind === 'boolean' ? 'boolean' : 'string',
      ...('valueHint' in filter && { valueHint: filter.valueHint }),
      description: describedFilter(filter, FORMS),
    },
  ]),
) as unknown as FilterOptions

/** The other options of a list. */
export const listFilters = {
  verdict: {
    type: 'string',
    valueHint: 'VERDICT',
    description: 'Plans whose record is complete, redacted, partial or altered; the server rebuilds each record',
  },
  sort: {
    type: 'string',
    valueHint: 'BY',
    description: 'By start, duration, tokens, cost or risk (default: start)',
  },
  order: { type: 'string', valueHint: 'asc|desc', description: 'Least or most first (default: desc)' },
} as const satisfies Options

type Given = CommandLine<typeof planFilters & typeof listFilters>['options']

/**
 * Returns the filters among a command's options as query parameters. The server checks their values. Throws `usage` for
 * an invalid time.
 */
export function filtersOf(options: Partial<Given>): ListQuery & ExportQuery {
  const now = Date.now()
  const given = [...Object.keys(PLAN_FILTERS), ...Object.keys(listFilters)].map((name) => {
    const option = kebabCase(name)
    const value = options[option as keyof Given]
    const isTime = name === 'since' || name === 'until'
    return [name, isTime && typeof value === 'string' ? timeOption(option, value, now) : value]
  })
  return Object.fromEntries(given) as ListQuery & ExportQuery
}
