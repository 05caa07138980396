import type { Mark } from '../model/course-marks.js'
import type { CourseRow } from '../model/course-rows.js'

/** The room that a row has, pixels. */
export interface RowRoom {
  /** Of the title of a step. */
  readonly title: number
  /** Of a line over all the width. */
  readonly line: number
  /** Whether what was done stands below a step, not beside it. */
  readonly isStacked: boolean
}

/** A version that says what the one before it said. */
export const isQuiet = (mark: Mark): boolean =>
  mark.kind === 'version' &&
  mark.number > 1 &&
  mark.version.steps !== null &&
  mark.version.changes.length === 0 &&
  mark.version.reason === null

const LINE = 28
const TEXT_LINE = 20
const AROUND_BLOCK = 6

/** How high a row is, pixels. A text has two lines at most. */
export function heightOf(row: CourseRow, title: string, { title: titleRoom, line, isStacked }: RowRoom): number {
  if (row.kind === 'change' || row.kind === 'more') return 22
  if (row.kind === 'note') return textWidth(row.text) > line ? 2 + 2 * TEXT_LINE : 2 + TEXT_LINE
  if (row.kind === 'mark') return isQuiet(row.mark) ? 26 : 34
  const { at = 0, of = 1 } = row.block ?? {}
  const around = (at === 0 ? AROUND_BLOCK : 0) + (at === of - 1 ? AROUND_BLOCK : 0)
  const isLong = title !== '' && textWidth(title) > (isStacked ? line : titleRoom)
  if (!isStacked) return Math.max(LINE + around, isLong && of === 1 ? 2 * TEXT_LINE + 2 * AROUND_BLOCK : 0)
  const head = title === '' && row.aside === undefined ? 0 : (isLong ? 2 : 1) * TEXT_LINE + 4
  return head + (row.node === undefined && title !== '' ? 0 : LINE) + around
}

const NARROW = 6.4
const WIDE = 13

/** About how wide a text is, pixels. */
function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += character > '\u2E7F' ? WIDE : NARROW
  return width
}
