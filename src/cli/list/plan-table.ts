import type { FacetsJson } from '../../client/index.js'
import { elapsedMs } from '../../wire/elapsed/index.js'
import type { PlanJson } from '../../wire/index.js'
import { headlineText } from '../output/headline.js'
import { styled, styledState } from '../output/terminal.js'
import { alignColumns, cut, formatDuration, oneLine } from '../output/text-layout.js'

const COLUMNS = [
  'PLAN',
  'TRACE',
  'STATE',
  'DIALECT',
  'SOURCE',
  'START',
  'DURATION',
  'SPANS',
  'ERRORS',
  'TITLE',
  'HEADLINE',
] as const
type Column = (typeof COLUMNS)[number]
type Row = Readonly<Record<Column, string>>

/** Columns to leave out on a narrow terminal, in this order. */
const DISPENSABLE: readonly Column[] = ['SPANS', 'ERRORS', 'SOURCE', 'DIALECT', 'DURATION', 'START']
const INDENT = '  '
const MIN_TITLE = 20
const MAX_TITLE = 200

/** Formats plans for other programs: one line each, without truncation. */
export function planLines(plans: readonly PlanJson[], { withTraces }: { withTraces: boolean }): string[] {
  const columns = columnsOf(withTraces)
  return alignColumns(plans.map(toRow).map((row) => cellsOf(row, columns)))
}

/**
 * Formats plans for people: one line each below a heading if all columns fit the width; otherwise the full id on its
 * own line, followed by the columns that fit. Empty columns are left out. A headline is a line of its own.
 */
export function planTable(
  plans: readonly PlanJson[],
  { width, withTraces }: { width: number; withTraces: boolean },
): string[] {
  const rows = plans.map(toRow)
  const columns = columnsOf(withTraces).filter(
    (column) => column !== 'HEADLINE' && rows.some((row) => !['-', '0'].includes(row[column])),
  )
  const below = (index: number): string[] => {
    const headline = rows[index]?.HEADLINE ?? '-'
    return headline === '-' ? [] : [styled('dim', cut(`${INDENT}${headline}`, width))]
  }
  if (widthOf(rows, columns) <= width) {
    const [heading = '', ...lines] = alignColumns([columns, ...rows.map((row) => cellsOf(row, columns))])
    return [
      styled('bold', heading),
      ...lines.flatMap((line, index) => [shownLine(line, rows[index], width), ...below(index)]),
    ]
  }
  const ids = columns.filter(isId)
  let details = columns.filter((column) => !isId(column))
  for (const dispensable of DISPENSABLE) {
    if (widthOf(rows, details) + INDENT.length <= width) break
    details = details.filter((column) => column !== dispensable)
  }
  const lines = alignColumns(rows.map((row) => cellsOf(row, details)))
  return rows.flatMap((row, index) => [
    styled('bold', cellsOf(row, ids).join('  ')),
    shownLine(`${INDENT}${lines[index] ?? ''}`, row, width),
    ...below(index),
  ])
}

const columnsOf = (withTraces: boolean): Column[] => COLUMNS.filter((column) => withTraces || column !== 'TRACE')
const isId = (column: Column): boolean => column === 'PLAN' || column === 'TRACE'
const cellsOf = (row: Row, columns: readonly Column[]): string[] => columns.map((column) => row[column])

/** The width of the table with titles cut to a length at which they are still recognizable. */
function widthOf(rows: readonly Row[], columns: readonly Column[]): number {
  const cells = rows.map((row) => cellsOf({ ...row, TITLE: cut(row.TITLE, MIN_TITLE) }, columns))
  return alignColumns([columns, ...cells]).reduce((width, line) => Math.max(width, [...line].length), 0)
}

const shownLine = (line: string, row: Row | undefined, width: number): string =>
  cut(line, width).replace(`  ${row?.STATE ?? ''} `, () => `  ${styledState(row?.STATE ?? '')} `)

const toRow = (plan: PlanJson): Row => ({
  PLAN: oneLine(plan.planId),
  TRACE: plan.traceId,
  STATE: plan.state,
  DIALECT: plan.dialect ?? plan.convention ?? 'live',
  SOURCE: oneLine(plan.source ?? '') || '-',
  START: plan.startTime.slice(0, 19).replace('T', ' '),
  DURATION: formatDuration(elapsedMs(plan, Date.now())),
  SPANS: String(plan.spans),
  ERRORS: String(plan.errors),
  TITLE: oneLine(plan.title ?? plan.name ?? plan.request ?? '', MAX_TITLE) || '-',
  HEADLINE: headlineText(plan) || '-',
})

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
