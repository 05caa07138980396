import type { SpanWriter } from '../../store/ingest/index.js'

/** How often others' leavings are looked for. */
const INTERVAL_MS = 60_000

/**
 * Brings what servers that died have left in the journal to the tables: now all of it, from then on what nobody writes
 * to any more. Throws what the writer throws; answers how to stop.
 */
export async function keepJournal(writer: Pick<SpanWriter, 'takeOver'>): Promise<() => void> {
  await writer.takeOver('all')
  // What can't be stored now is looked for again.
  const look = () => void writer.takeOver('orphaned').catch(() => {})
  const timer = setInterval(look, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
