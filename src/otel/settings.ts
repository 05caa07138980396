/** Picks valid settings among options and environment variables, and collects warnings about invalid ones. */
export class Settings {
  /** Warnings about invalid values, which are ignored. */
  readonly complaints: string[] = []

  /** Returns the first valid value. Empty values count as unset. */
  firstFit<Value>(isFit: (value: unknown) => value is Value, given: Record<string, unknown>): Value | undefined {
    for (const [name, value] of Object.entries(given)) {
      if (!isGiven(value)) continue
      if (isFit(value)) return value
      this.complaints.push(`planspan: ${name} cannot be ${shown(value)}, which is ignored.`)
    }
    return undefined
  }
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Describes an invalid value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : typeof value === 'function' ? 'a function' : String(value)
}

/** The longest delay of a timer; longer ones fire immediately. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1

const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
export const isSize = (value: unknown): value is number => isBetween(value, 1, Number.POSITIVE_INFINITY)
export const isRatio = (value: unknown): value is number => isBetween(value, 0, 1)
export const isDelay = (value: unknown): value is number => isBetween(value, 0, MAX_TIMER_MILLIS)
export const isPeriod = (value: unknown): value is number => isBetween(value, 1, MAX_TIMER_MILLIS)
