import { formatDuration } from '../output/text-layout.js'

/** Format figures for a table; `-` if unknown. */
export const shownCount = (value: number | null): string => (value === null ? '-' : String(value))
export const shownCost = (value: number | null): string =>
  value === null ? '-' : `$${value.toFixed(value > 0 && value < 1 ? 4 : 2)}`
export const shownDuration = (value: number | null): string => (value === null ? '-' : formatDuration(value))
export const shownRisk = (value: number | null): string => (value === null ? '-' : String(Number(value.toFixed(4))))

/** The letter that stands for a plan in front of its lines, from A. */
export const planLetter = (index: number): string => String.fromCodePoint(0x41 + index)
