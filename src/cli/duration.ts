import { PlanspanError } from '../error.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Milliseconds for people: `0.4 ms`, `250 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const index = UNITS.findIndex(([, length]) => milliseconds >= length)
  const [[unit, length] = ['d', 86_400_000], [smallUnit, smallLength] = ['s', 1000]] = UNITS.slice(index, index + 2)
  const small = Math.floor((milliseconds % length) / smallLength)
  return `${String(Math.floor(milliseconds / length))} ${unit}${small > 0 ? ` ${String(small)} ${smallUnit}` : ''}`
}

const AGE = /^(\d+)(s|m|h|d)$/
const AGE_UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90m`, `24h` or `7d` before a time in milliseconds, or a time by itself, as ISO 8601. Throws `usage` for any other text. */
export function sinceTime(text: string, now: number): string {
  const [, count, unit = ''] = AGE.exec(text) ?? []
  const length = AGE_UNITS[unit]
  if (length === undefined && Number.isNaN(Date.parse(text))) {
    throw new PlanspanError(
      'usage',
      `--since takes an age such as 90m, 24h or 7d, or a time such as 2026-03-04T12:00:00Z, not ${JSON.stringify(text)}.`,
    )
  }
  return length === undefined ? text : new Date(now - Number(count) * length).toISOString()
}
