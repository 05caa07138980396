import { storedChoice } from './stored-choice.js'

/** Whether times are told in the reader's zone or in UTC. */
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

/** The time of the day; of another day its date, too; of another year the date alone. */
export function shortTime(time: number, now = Date.now()): string {
  const [day, year] = [format({ ...DAY, year: 'numeric' }), format({ year: 'numeric' })]
  if (day.format(time) === day.format(now)) return format(CLOCK).format(time)
  if (year.format(time) !== year.format(now)) return day.format(time)
  return format({ ...DAY, hour: '2-digit', minute: '2-digit' }).format(time)
}

/** Date, time and zone. */
export const fullTime = (time: number): string =>
  format({ ...DAY, year: 'numeric', ...CLOCK, fractionalSecondDigits: 3, timeZoneName: 'short' }).format(time)

/** The time of the day alone. */
export const clockTime = (time: number): string => format(CLOCK).format(time)

/** Switches between the two. */
export function ZoneButton() {
  const isUtc = zone.value === 'utc'
  const label = isUtc ? 'UTC: change times to your own zone' : 'Local: change times to UTC'
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
