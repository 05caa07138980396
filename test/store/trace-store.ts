import { ATTR, PENDING } from '../../src/semconv/index.js'
import { createStore, type Store } from '../../src/store/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { insertSpans, type TestSpan } from './spans.js'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A trace id of 32 digits for a name of up to 16 letters, and back. */
export const traceId = (name: string): string => Buffer.from(name.padEnd(16, '.')).toString('hex')
export const traceName = (id: string): string => Buffer.from(id, 'hex').toString().replace(/\.+$/, '')

/** The attributes of a snapshot. */
export const snapshot = (attributes: Record<string, string> = {}) => ({ ...attributes, [ATTR.spanState]: PENDING })

export interface TraceStore {
  readonly store: Store
  readonly fresh: FreshDatabase
  /** Inserts spans whose trace ids are names. */
  insert(spans: TestSpan[]): Promise<void>
  close(): Promise<void>
}

/** planspan's schema in a database of the test's own. */
export async function openTraceStore(): Promise<TraceStore> {
  const fresh = await freshDatabase()
  const store = createStore(fresh)
  await store.migrate()
  return {
    store,
    fresh,
    insert: (spans) =>
      insertSpans(
        store.client,
        fresh.database,
        spans.map((span) => ({ ...span, traceId: traceId(span.traceId) })),
      ),
    async close() {
      await store.close()
      await fresh.drop()
    },
  }
}
