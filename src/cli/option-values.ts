import { PlanspanError } from '../error.js'
import type { Options } from './command.js'

/** The `--per` option of commands that write records as training messages. */
export const chatOptions = {
  per: {
    type: 'string',
    valueHint: 'conversation|call',
    description: 'With --format chat: the unit of a line (default: conversation)',
  },
} as const satisfies Options

/** Parses a whole-number option; undefined if it is missing. Throws `usage` if it is out of range. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${String(min)} on` : `from ${String(min)} to ${String(max)}`
  throw new PlanspanError('usage', `--${name} takes a whole number ${range}, not ${JSON.stringify(text)}.`)
}

const AGE = /^(\d+)(s|m|h|d)$/
const AGE_UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `90m`, `24h` or `7d` into milliseconds; undefined for another text. */
export function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = AGE.exec(text) ?? []
  const one = AGE_UNITS[unit]
  return one === undefined ? undefined : Number(count) * one
}

/** Converts the time of an option to ISO 8601: `90m`, `24h` or `7d` before `now`, or a given time. Throws `usage`. */
export function timeOption(name: string, text: string, now: number): string {
  const duration = durationOf(text)
  if (duration === undefined && Number.isNaN(Date.parse(text))) {
    throw new PlanspanError(
      'usage',
      `--${name} takes an age such as 90m, 24h or 7d, or a time such as 2026-03-04T12:00:00Z, not ${JSON.stringify(text)}.`,
    )
  }
  return duration === undefined ? text : new Date(now - duration).toISOString()
}
