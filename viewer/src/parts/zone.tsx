import { storedChoice } from './stored-choice.js'

/** Whether times are shown in the local time zone or in UTC. */
export const zone = storedChoice('zone', ['local', 'utc'])

const formats = new Map<string, Intl.DateTimeFormat>()

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const all = { ...options, hourCycle: 'h23' as const, ...(zone.value === 'utc' ? { timeZone: 'UTC' } : {}) }
  const key = JSON.stringify(all)
  const made = formats.get(key) ?? new Intl.DateTimeFormat('en', all)
  formats.set(key, made)
  return made
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const DAY = { month: 'short', day: 'numeric' } as const

/** Formats a time of day; on another day with the date, in another year only the date. */
export function shortTime(time: number, now = Date.now()): string {
  const [day, year] = [format({ ...DAY, year: 'numeric' }), format({ year: 'numeric' })]
  if (day.format(time) === day.format(now)) return format(CLOCK).format(time)
  if (year.format(time) !== year.format(now)) return day.format(time)
  return format({ ...DAY, hour: '2-digit', minute: '2-digit' }).format(time)
}

/** Formats date, time and time zone. */
export const fullTime = (time: number): string =>
  format({ ...DAY, year: 'numeric', ...CLOCK, fractionalSecondDigits: 3, timeZoneName: 'short' }).format(time)

/** Formats the time of day only. */
export const clockTime = (time: number): string => format(CLOCK).format(time)

/** Switches between local time and UTC. */
export function ZoneButton() {
  const isUtc = zone.value === 'utc'
  const label = isUtc ? 'UTC: switch to local time' : 'Local: switch to UTC'
  return (
    <button
      type="button"
      class="quiet zone"
      aria-label={label}
      title={label}
      onClick={() => (zone.value = isUtc ? 'local' : 'utc')}
    >
      {isUtc ? 'UTC' : 'Local'}
    </button>
  )
}
