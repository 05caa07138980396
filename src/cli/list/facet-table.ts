import type { FacetsJson } from '../../client/index.js'
import { styled } from '../output/terminal.js'
import { alignColumns, oneLine } from '../output/text-layout.js'

/** Formats facets for other programs: one line per value, with the facet, the number of plans, and the value. */
export const facetLines = ({ facets }: FacetsJson): string[] =>
  alignColumns(
    Object.entries(facets).flatMap(([facet, values]) =>
      values.map(({ value, plans }) => [facet, String(plans), shown(value)]),
    ),
  )

/** Formats facets for people, below a heading for each facet with values. */
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

/** The source of an import without a name is empty. */
const shown = (value: string): string => oneLine(value) || '(none)'
