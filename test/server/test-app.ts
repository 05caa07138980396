import type { Hono } from 'hono'

import { encodeRecords, type EncodedRecord, type EncodeOptions } from '../../src/mapping/index.js'
import { type Span } from '../../src/semconv/index.js'
import { Indexer } from '../../src/indexer/index.js'
import { narrow } from '../../src/otlp/index.js'
import { createApp, type AppOptions } from '../../src/server/index.js'
import { Rebuilder } from '../../src/server/rebuild/rebuilder.js'
import { WorkerPool } from '../../src/server/rebuild/worker-pool.js'
import { createSpanWriter, type SpanWriter } from '../../src/store/ingest/index.js'
import { createStore, createStoreClient, type Store } from '../../src/store/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'

/** The app without a socket, over an indexed database of its own. */
export interface TestApp {
  readonly app: Hono
  readonly store: Store
  readonly writer: SpanWriter
  /** Sends spans through the app's own receiver. */
  send(spans: Iterable<Span>): Promise<void>
  /** Sends a file's records as spans and returns them. */
  importRecords(bytes: Uint8Array, options?: EncodeOptions): Promise<EncodedRecord[]>
  /** Indexes all stored spans, for tests that run their own SQL. */
  index(): Promise<void>
  close(): Promise<void>
}

export async function startTestApp(options: Partial<AppOptions> = {}, fresh?: FreshDatabase): Promise<TestApp> {
  const { url, database, drop, shardUrls = [url] }: FreshDatabase = fresh ?? (await freshDatabase())
  const catchUp = async (): Promise<boolean> => {
    for (const indexer of indexers) {
      indexer.start()
      // Prices that a test inserts apply from the next read on.
      indexer.reprice()
    }
    return (await Promise.all(indexers.map((indexer) => indexer.catchUp()))).every((isIndexed) => isIndexed)
  }
  const indexed = async (): Promise<void> => {
    await catchUp()
  }
  const store = createStore({ url, database, indexed })
  const clients = shardUrls.map((shard) => createStoreClient({ url: shard }))
  const indexers = clients.map((client, at) => new Indexer({ target: { client, url: shardUrls[at] ?? url, database } }))
  const [first] = indexers as [Indexer]
  const indexer = {
    get status() {
      return first.status
    },
    reindex(traceIds: readonly string[]) {
      for (const one of indexers) one.reindex(traceIds)
    },
    catchUp,
  }
  await store.migrate()
  const writer = createSpanWriter({ client: store.client, url, database, narrow })
  const app = createApp({ store, writer, indexer, ...options })
  const sender = createSpanSender({
    url: 'http://localhost/v1/traces',
    fetch: async (input, init) => app.request(input instanceof URL ? input.href : input, init),
  })
  const send = async (spans: Iterable<Span>) => {
    const { rejected, reasons } = await sender.send(spans)
    if (rejected > 0) throw new Error(reasons.join(' '))
  }
  return {
    app,
    store,
    writer,
    send,
    async importRecords(bytes, encodeOptions) {
      const records = [...encodeRecords(bytes, encodeOptions)]
      await send(records.flatMap(({ spans }) => spans))
      return records
    },
    index: indexed,
    async close() {
      await writer.close()
      await Promise.all(indexers.map((indexer) => indexer.close()))
      await Promise.all(clients.map((client) => client.close()))
      await store.close()
      await drop()
    },
  }
}

/** The reader that the routes use. */
export const recordsOf = (reader: Store['reader']) => ({ reader, rebuilder: new Rebuilder(reader, new WorkerPool()) })

/** An app whose store has nothing listening at its URL. */
export function unreachableApp(options: Partial<AppOptions> = {}): Hono {
  // Port 1 is tcpmux, which no machine has run for decades.
  const url = 'http://planspan:secret@127.0.0.1:1'
  const store = createStore({ url })
  const writer = createSpanWriter({ client: store.client, url, database: 'otel', narrow, retries: 0 })
  return createApp({ store, writer, ...options })
}
