import { ATTR, PENDING } from '../../src/semconv/index.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { insertSpans, type TestSpan } from './spans.js'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A trace id of 32 digits for a name of up to 16 letters, and back. */
export const traceId = (name: string): string => Buffer.from(name.padEnd(16, '.')).toString('hex')
export const traceName = (id: string): string => Buffer.from(id, 'hex').toString().replace(/\.+$/, '')

/** The attributes of a snapshot. */
export const snapshot = (attributes: Record<string, string> = {}) => ({ ...attributes, [ATTR.spanState]: PENDING })

export interface TraceStore extends FreshStore {
  /** Inserts spans whose trace ids are names. */
  insert(spans: TestSpan[]): Promise<void>
}

/** planspan's schema in a separate database for the test. */
export async function openTraceStore(): Promise<TraceStore> {
  const own = await freshStore()
  return {
    ...own,
    insert: (spans) =>
      insertSpans(
        own.store.client,
        own.fresh.database,
        spans.map((span) => ({ ...span, traceId: traceId(span.traceId) })),
      ),
  }
}
