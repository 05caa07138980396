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

/** How long the same message is not repeated, milliseconds. */
const SILENCE_MS = 60_000

/** Logs the failures of the indexers of a database. The same message is logged once a minute. */
export function logIndexerFailures(log: Log, database: string): (message: string) => void {
  const loggedAt = new Map<string, number>()
  return (message) => {
    const now = Date.now()
    for (const [text, at] of loggedAt) if (at <= now - SILENCE_MS) loggedAt.delete(text)
    if (loggedAt.has(message)) return
    loggedAt.set(message, now)
    log({
      level: 'error',
      event: 'index_failed',
      message: `Indexing the database ${database} failed and is tried again. ${message}`,
      fields: { database },
    })
  }
}

/** Warns about a bug in planspan, and returns the message for the client. */
export function reportMistake(thrown: unknown, requestId: string | undefined): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  process.emitWarning(Object.assign(error, { requestId }))
  return `planspan failed: ${error.message}. Please report this.`
}
