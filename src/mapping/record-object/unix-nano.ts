import { PlanspanError } from '../../error.js'

const ISO =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[T _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]+\])?)?$/i
const STAMP = /^(\d{4})(\d\d)(\d\d)[@T](\d\d)(\d\d)(\d\d)()(Z)?$/
const EPOCH = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,2}))?$/i
const NANOS_PER_MS = 1_000_000n

/** The units of numbers since 1970, by the most digits that a number of the unit has. */
const UNITS = [
  { digits: 11, decimals: 9 },
  { digits: 14, decimals: 6 },
  { digits: 17, decimals: 3 },
  { digits: 20, decimals: 0 },
] as const

/**
 * Parses a time in any form that a system writes: ISO 8601 with 0 to 9 fraction digits, `YYYYMMDD@HHMMSS`, or seconds,
 * milliseconds, microseconds or nanoseconds since 1970, distinguished by their size. Returns Unix nanoseconds. A text
 * without a zone is local time in `timeZone`. Undefined for other texts, and before 1970.
 */
export const unixNanoOf = (text: string, timeZone: string): bigint | undefined => since1970(nanosOf(text, timeZone))

/** Parses a number of seconds, milliseconds, microseconds or nanoseconds since 1970. */
export const epochNanosOf = (text: string): bigint | undefined => since1970(numberOfNanos(text))

/** Whether a text is a time, also before 1970. */
export const isTimeText = (text: string): boolean => nanosOf(text, 'UTC') !== undefined

const since1970 = (nanos: bigint | undefined): bigint | undefined =>
  nanos !== undefined && nanos >= 0n ? nanos : undefined

function nanosOf(text: string, timeZone: string): bigint | undefined {
  const match = ISO.exec(text) ?? STAMP.exec(text)
  if (!match) return numberOfNanos(text)
  const [, year, month, day, hour = '00', minute = '00', second = '0', fraction = '', zone] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const wall = date.setUTCHours(Number(hour), Number(minute), Number(second))
  // Date normalizes a 13th month or a 61st minute.
  if (Number.isNaN(wall) || !date.toISOString().includes(`${year}-${month}-${day}T${hour}:${minute}`)) return undefined
  const offset = zone === undefined ? localOffset(wall, timeZone) : zoneOffset(zone)
  return BigInt(wall - offset) * NANOS_PER_MS + BigInt(fraction.padEnd(9, '0'))
}

function numberOfNanos(text: string): bigint | undefined {
  const [, sign, digits = '', decimals = '', power = '0'] = EPOCH.exec(text) ?? []
  if (digits === '' && decimals === '') return undefined
  const point = digits.length + Number(power)
  const all = `${'0'.repeat(Math.max(0, -point))}${digits}${decimals}`
  const whole =
    all
      .slice(0, Math.max(0, point))
      .padEnd(point, '0')
      .replace(/^0+(?=.)/, '') || '0'
  const unit = UNITS.find(({ digits: most }) => whole.length <= most)
  const fraction = all.slice(Math.max(0, point))
  const nanos = unit && BigInt(`${whole}${fraction.padEnd(unit.decimals, '0').slice(0, unit.decimals)}`)
  return sign === '-' && nanos !== undefined ? -nanos : nanos
}

/** Formats an instant as ISO 8601 in UTC, with the fewest fraction digits of 3, 6 or 9. */
export function isoOf(unixNano: bigint): string {
  const iso = new Date(Number(unixNano / NANOS_PER_MS)).toISOString()
  const below = Number(unixNano % NANOS_PER_MS)
  if (below === 0) return iso
  const digits = String(below).padStart(6, '0')
  return `${iso.slice(0, -1)}${below % 1000 === 0 ? digits.slice(0, 3) : digits}Z`
}

/** Rejects a zone that is missing in this machine's time zone data. */
export function checkTimeZone(timeZone: string): void {
  if (timeZone === 'UTC') return
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch (cause) {
    const message = `Unknown time zone ${JSON.stringify(timeZone)}. Give an IANA name such as Europe/Berlin, or UTC.`
    throw new PlanspanError('usage', message, { cause })
  }
}

function zoneOffset(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Returns how many milliseconds a zone is ahead of UTC when its wall clock shows a time. */
function localOffset(wall: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const first = offsetAt(wall, timeZone)
  return offsetAt(wall - first, timeZone)
}

function offsetAt(instant: number, timeZone: string): number {
  const parts = wallClock(timeZone).formatToParts(instant)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const day = Date.UTC(value('year'), value('month') - 1, value('day'))
  const shown = day + ((value('hour') * 60 + value('minute')) * 60 + value('second')) * 1000
  return shown - Math.floor(instant / 1000) * 1000
}

// Creating a formatter takes about as long as encoding a small record.
const wallClocks = new Map<string, Intl.DateTimeFormat>()

function wallClock(timeZone: string): Intl.DateTimeFormat {
  let format = wallClocks.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    wallClocks.set(timeZone, format)
  }
  return format
}
