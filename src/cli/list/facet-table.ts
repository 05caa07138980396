import type { FacetsJson } from '../../client/index.js'
import { styled } from '../output/terminal.js'
import { alignColumns, oneLine } from '../output/text-layout.js'

/** Values that plans have, for other programs: a line each, of which facet, how many plans, and the value. */
export const facetLines = ({ facets }: FacetsJson): string[] =>
  alignColumns(
    Object.entries(facets).flatMap(([facet, values]) =>
      values.map(({ value, plans }) => [facet, String(plans), shown(value)]),
    ),
  )

/** The same for people, below a heading for each facet that has values. */
export function facetTable({ plans, facets }: FacetsJson): string[] {
  const named = Object.entries(facets).filter(([, values]) => values.length > 0)
  const width = String(plans).length
  return [
    `${String(plans)} ${plans === 1 ? 'plan' : 'plans'}`,
    ...named.flatMap(([facet, values]) => [
      '',
      styled('bold', facet.toUpperCase()),
      ...values.map(({ value, plans }) => `  ${String(plans).padStart(width)}  ${shown(value)}`),
    ]),
  ]
}

/** Imports that named no source have an empty one. */
const shown = (value: string): string => oneLine(value) || '(none)'
