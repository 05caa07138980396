import process from 'node:process'

/** An event in a running server. It contains no secrets, no texts of queries and no contents of plans. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  /** A stable name of the event, such as `plan_erased`. */
  readonly event: string
  /** The event for people. */
  readonly message: string
  readonly fields?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
}

/** Receives the events of a server, one at a time. */
export type Log = (entry: LogEntry) => void

/** How long a failure is not repeated, milliseconds. */
const SILENCE_MS = 60_000

/** Logs the failures of the background work of a database. A failure of the same work is logged once a minute. */
export function logFailures(
  log: Log,
  database: string,
): Readonly<Record<'onIndexerError' | 'onStoringError' | 'onDamage', (message: string) => void>> {
  const repeated = (event: string, does: string) => {
    let loggedAt = Number.NEGATIVE_INFINITY
    return (message: string) => {
      const now = Date.now()
      if (now - loggedAt < SILENCE_MS) return
      loggedAt = now
      log({ level: 'error', event, message: `${does} failed and is tried again. ${message}`, fields: { database } })
    }
  }
  return {
    onIndexerError: repeated('index_failed', `Indexing the database ${database}`),
    onDamage: (message) => log({ level: 'error', event: 'store_damaged', message, fields: { database } }),
    onStoringError: repeated('storing_failed', `Storing spans in the database ${database}`),
  }
}

/** Warns about a bug in planspan, and returns the message for the client. */
export function reportMistake(thrown: unknown, requestId: string | undefined): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  process.emitWarning(Object.assign(error, { requestId }))
  return `planspan failed: ${error.message}. Please report this.`
}
