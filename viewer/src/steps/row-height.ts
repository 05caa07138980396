import type { Mark } from '../model/course-marks.js'
import type { CourseRow } from '../model/course-rows.js'

/** The width of the parts of a row, pixels. */
export interface RowRoom {
  /** For the title of a step. */
  readonly title: number
  /** For a line over the whole width. */
  readonly line: number
  /** Whether the work is below a step, not beside it. */
  readonly isStacked: boolean
}

/** Whether a version repeats the one before it. */
export const isQuiet = (mark: Mark): boolean =>
  mark.kind === 'version' &&
  mark.number > 1 &&
  mark.version.steps !== null &&
  mark.version.changes.length === 0 &&
  mark.version.reason === null

const LINE = 28
const FAULT_LINE = 24
const TEXT_LINE = 20
const AROUND_BLOCK = 6
/** The width of the sign beside the title of a step without work, where the work is below the steps. */
const IDLE_SIGN = 72

const isLastOf = ({ block }: CourseRow): boolean => block !== undefined && block.at === block.of - 1

/** The height of a row, pixels. A text has two lines at most. */
export function heightOf(row: CourseRow, title: string, { title: titleRoom, line, isStacked }: RowRoom): number {
  if (row.kind === 'fault' || row.kind === 'deeper') return FAULT_LINE + (isLastOf(row) ? AROUND_BLOCK : 0)
  if (row.kind === 'change' || row.kind === 'more') return 22
  if (row.kind === 'note') return textWidth(row.text) > line ? 2 + 2 * TEXT_LINE : 2 + TEXT_LINE
  if (row.kind === 'mark') return isQuiet(row.mark) ? 26 : 34
  const { at = 0, of = 1 } = row.block ?? {}
  const around = (at === 0 ? AROUND_BLOCK : 0) + (isLastOf(row) ? AROUND_BLOCK : 0)
  const stackedRoom = row.node === undefined ? line - IDLE_SIGN : line
  const isLong = title !== '' && textWidth(title) > (isStacked ? stackedRoom : titleRoom)
  if (!isStacked) return Math.max(LINE + around, isLong && of === 1 ? 2 * TEXT_LINE + 2 * AROUND_BLOCK : 0)
  const head = title === '' && row.aside === undefined ? 0 : (isLong ? 2 : 1) * TEXT_LINE + 4
  return head + (row.node === undefined && title !== '' ? 0 : LINE) + around
}

const NARROW = 6.4
const WIDE = 13

/** The approximate width of a text, pixels. */
function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += character > '\u2E7F' ? WIDE : NARROW
  return width
}
