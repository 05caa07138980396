import { computed, signal } from '@preact/signals'

import { isTight } from '../parts/media.js'

/** A column of the list. */
export interface Column {
  readonly name: string
  readonly title: string
  /** The sort key of the server. */
  readonly sort?: string
  /** Its width in pixels, or the width of a flexible column; undefined for a value of the second line. */
  readonly width?: number | string
  readonly isNumber?: true
  /** Neither hidden nor resized. */
  readonly isFixed?: true
  /** Whether a window of up to 760 pixels leaves it out. */
  readonly isWide?: true
}

/** The columns in order. */
export const COLUMNS = [
  { name: 'state', title: 'State', width: 100, isFixed: true },
  { name: 'title', title: 'Plan', width: 'minmax(160px, 5fr)', isFixed: true },
  { name: 'steps', title: 'Steps', width: 'minmax(64px, 4fr)' },
  { name: 'failures', title: 'Failed', width: 48, isNumber: true },
  { name: 'risk', title: 'Risk', sort: 'risk', width: 80, isNumber: true },
  { name: 'tokens', title: 'Tokens', sort: 'tokens', width: 54, isNumber: true, isWide: true },
  { name: 'cost', title: 'Cost', sort: 'cost', width: 72, isNumber: true, isWide: true },
  { name: 'duration', title: 'Duration', sort: 'duration', width: 76, isNumber: true },
  { name: 'start', title: 'Started', sort: 'start', width: 98, isNumber: true },
  { name: 'wait', title: 'Waits' },
  { name: 'headline', title: 'Headline' },
  { name: 'workflow', title: 'Workflow' },
] as const satisfies readonly Column[]
export type ColumnName = (typeof COLUMNS)[number]['name']

const KEY = 'planspan.columns'
export const LEAST_WIDTH = 40
export const MOST_WIDTH = 800

/** The reader's choice: hidden columns, and widths in pixels. */
interface Choice {
  readonly hidden: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}

const choice = signal<Choice>(stored())

function stored(): Choice {
  try {
    const { hidden, widths } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Choice>
    return { hidden: Array.isArray(hidden) ? hidden : [], widths: widths ?? {} }
  } catch {
    return { hidden: [], widths: {} }
  }
}

function choose(next: Choice): void {
  choice.value = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // The browser may not allow storage.
  }
}

/** Whether the reader shows a column. */
export const isChosen = (name: string): boolean => !choice.value.hidden.includes(name)

/** Shows or hides a column. */
export function toggleColumn(name: string): void {
  const { hidden, widths } = choice.peek()
  choose({ widths, hidden: hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name] })
}

/** Sets the width of a column; undefined restores its own. */
export function setWidth(name: string, width: number | undefined): void {
  const { hidden, widths } = choice.peek()
  const { [name]: _, ...others } = widths
  const bounded = width === undefined ? {} : { [name]: Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width))) }
  choose({ hidden, widths: { ...others, ...bounded } })
}

/** Restores all columns. */
export const restoreColumns = (): void => choose({ hidden: [], widths: {} })

/** The shown columns. */
export const shownColumns = computed<readonly Column[]>(() =>
  COLUMNS.filter((column: Column) => isChosen(column.name) && !(isTight.value && column.isWide)),
)

export const isShown = computed(() => new Set(shownColumns.value.map(({ name }) => name)))

/** The widths of the columns of the first line, for `grid-template-columns`. */
export const template = computed(() =>
  shownColumns.value
    .flatMap(({ name, width }) => {
      const own = choice.value.widths[name]
      if (width === undefined) return []
      return typeof own === 'number' ? `${own}px` : typeof width === 'number' ? `${width}px` : width
    })
    .join(' '),
)
