import { narrow } from '../otlp/index.js'
import { createStore, type Store } from '../store/index.js'
import { createSpanWriter, type SpanWriter } from '../store/ingest/index.js'
import { Disposer } from './disposer.js'
import { startPriceRefresh } from './refresh-prices.js'

export interface OpenStoreOptions {
  /** `http[s]://[user[:password]@]host[:port]` of ClickHouse's HTTP interface. */
  readonly clickhouseUrl: string
  /** @default 'otel' */
  readonly database?: string | undefined
  /** Days after which spans are dropped; older ones are refused. @default no limit */
  readonly retentionDays?: number | undefined
}

/** A ClickHouse database with planspan's tables, open for reading and writing: `createApp` takes it as it is. */
export interface OpenStore {
  readonly store: Store
  readonly writer: SpanWriter
  /** The start, Unix nanoseconds, before which the retention would drop a span at once. */
  readonly refuseBefore?: () => bigint
  /** Stores what was accepted, then closes the connections to ClickHouse. Idempotent. */
  close(): Promise<void>
}

const MS_PER_DAY = 86_400_000

/**
 * Brings a database to planspan's schema and opens it. Throws `store_unreachable`, `schema_mismatch`, and `usage` for a
 * name that no database has.
 *
 * @example
 * const opened = await openStore({ clickhouseUrl: 'http://planspan:secret@127.0.0.1:8123' })
 * const app = new Hono().route('/planspan', createApp(opened))
 */
export async function openStore({ clickhouseUrl, database, retentionDays }: OpenStoreOptions): Promise<OpenStore> {
  const disposer = new Disposer()
  try {
    const store = createStore({
      url: clickhouseUrl,
      ...(database === undefined ? {} : { database }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
    })
    disposer.defer(() => store.close())
    await store.migrate()
    const stopPricing = await startPriceRefresh(store)
    disposer.defer(async () => stopPricing())
    const writer = createSpanWriter({ client: store.client, url: clickhouseUrl, database: store.database, narrow })
    disposer.defer(() => writer.close())
    return {
      store,
      writer,
      ...(retentionDays === undefined ? {} : { refuseBefore: () => oldestKept(retentionDays) }),
      close: () => disposer.dispose(),
    }
  } catch (error) {
    await disposer.dispose()
    throw error
  }
}

/** ClickHouse drops a span in the second that its retention ends. */
const oldestKept = (retentionDays: number): bigint => BigInt(Date.now() - retentionDays * MS_PER_DAY) * 1_000_000n
