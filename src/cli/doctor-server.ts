import type { Readiness } from '../server/index.js'
import { planspanVersion } from '../server/version.js'
import type { Finding } from './finding.js'

/** Beyond this, times of different machines can't be compared well. */
const MAX_CLOCK_DIFFERENCE_MS = 1000

/** What a server says of itself; `asked` is when it was asked and when it had answered, in milliseconds. */
export function checkServer(
  endpoint: string,
  readiness: Readiness,
  asked: { before: number; after: number },
): Finding[] {
  const own = planspanVersion()
  const server: Finding =
    readiness.planspan === own
      ? { level: 'ok', text: `The server at ${endpoint} answers: planspan ${own} on Node ${readiness.node}` }
      : {
          level: 'warn',
          text: `The server at ${endpoint} is planspan ${readiness.planspan}, this is ${own}: use the same version.`,
        }
  if (readiness.status === 'unavailable') {
    return [server, { level: 'fail', text: `Its store is not ready (${readiness.code}): ${readiness.reason}` }]
  }
  const { clickhouse, database, clockDifferenceMs, time } = readiness
  const serverClockMs = Math.round(Date.parse(time) - (asked.before + asked.after) / 2)
  return [
    server,
    { level: 'ok', text: `Its store is ClickHouse ${clickhouse}; the database ${database} has planspan's tables` },
    clock('the server', serverClockMs),
    clock('ClickHouse', serverClockMs + clockDifferenceMs),
  ]
}

const clock = (whose: string, differenceMs: number): Finding =>
  Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS
    ? { level: 'ok', text: `The clock of ${whose} differs from this machine's by ${String(differenceMs)} ms` }
    : {
        level: 'warn',
        text: `The clock of ${whose} differs from this machine's by ${String(differenceMs)} ms: synchronise both (NTP), or spans will seem to overlap.`,
      }
