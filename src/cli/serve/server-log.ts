import process from 'node:process'

import { PlanspanError } from '../../error.js'
import type { Log, LogEntry, ServerOptions } from '../../server/index.js'

const LOG_FORMATS = ['text', 'json'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

/** Parses the value of --log-format. Throws `usage`. */
export function logFormat(given: string): LogFormat {
  const format = LOG_FORMATS.find((one) => one === given)
  if (format) return format
  throw new PlanspanError('usage', `--log-format takes ${LOG_FORMATS.join(' or ')}, not ${JSON.stringify(given)}.`)
}

/** Writes a line for each entry to standard error. */
export const createLog =
  (format: LogFormat): Log =>
  (entry) => {
    const line = LINES[format](entry, new Date().toISOString())
    process.stderr.write(`${escaped(line)}\n`)
  }

/** Redirects process warnings to the log, instead of Node's own lines. */
export function logWarnings(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error & { readonly requestId?: string }) => {
    const { name, message, stack, requestId } = warning
    // A warning with an error object is a bug of planspan.
    if (name.endsWith('Warning')) log({ level: 'warn', event: 'warning', message })
    else log({ level: 'error', event: 'internal_error', message, fields: { requestId, stack } })
  })
}

const LINES: Readonly<Record<LogFormat, (entry: LogEntry, time: string) => string>> = {
  json: ({ level, event, message, fields }, time) => JSON.stringify({ time, level, event, message, ...fields }),
  text: ({ level, message, fields = {} }, time) => {
    const details = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`],
    )
    return `${time} ${level} ${message}${details.join('')}`
  },
}

const quoted = (text: string): string => (/^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text))

/** Escapes characters that end a line, control a terminal or change the text direction, as JSON does. */
const escaped = (line: string): string =>
  line.replaceAll(
    /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const AGAIN_MS = 60_000

/** Logs when the embedded ClickHouse ends unexpectedly; while it keeps failing, the reason at most once a minute. */
export function logOutages(log: Log): NonNullable<ServerOptions['onClickHouseState']> {
  let loggedAt = Number.NEGATIVE_INFINITY
  let isLogged = false
  return (state, failure) => {
    if (state === 'restarting' && !failure) {
      log({ level: 'warn', event: 'clickhouse_ended', message: 'ClickHouse ended unexpectedly and is restarted.' })
    }
    if (failure && performance.now() - loggedAt >= AGAIN_MS) {
      loggedAt = performance.now()
      isLogged = true
      log({ level: 'error', event: 'clickhouse_failed', message: failure.message, fields: { code: failure.code } })
    }
    if (state === 'ready' && isLogged) {
      isLogged = false
      log({ level: 'info', event: 'clickhouse_ready', message: 'ClickHouse runs again.' })
    }
  }
}
