import type { Log } from './log-entry.js'

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
