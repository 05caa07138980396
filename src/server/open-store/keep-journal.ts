import type { SpanWriter } from '../../store/ingest/index.js'

/** The interval of looking for journals of other servers, milliseconds. */
const INTERVAL_MS = 60_000

/**
 * Stores the journals of crashed servers in the tables, now and periodically once no server writes to them. Throws the
 * writer's errors. Returns a function that stops this.
 */
export async function keepJournal(writer: Pick<SpanWriter, 'takeOver'>): Promise<() => void> {
  await writer.takeOver('all')
  // Failures are retried at the next interval.
  const look = () => void writer.takeOver('orphaned').catch(() => {})
  const timer = setInterval(look, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
