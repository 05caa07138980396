import { formatDuration } from '../output/text-layout.js'

/** A figure as a table shows it; `-` where it is not known. */
export const shownCount = (value: number | null): string => (value === null ? '-' : String(value))
export const shownCost = (value: number | null): string =>
  value === null ? '-' : `$${value.toFixed(value > 0 && value < 1 ? 4 : 2)}`
export const shownDuration = (value: number | null): string => (value === null ? '-' : formatDuration(value))
export const shownRisk = (value: number | null): string => (value === null ? '-' : String(Number(value.toFixed(4))))
