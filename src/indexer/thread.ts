import { parentPort } from 'node:worker_threads'

import { createStoreClient } from '../store/index.js'
import { Indexer } from './indexer.js'
import type { IndexerStatus } from './status.js'

/** The messages to the thread of the indexers. Each contains the id of an indexer under the name of its action. */
export type ToThread =
  | { readonly open: number; readonly url: string; readonly database: string }
  | { readonly catchUp: number; readonly call: number }
  | { readonly reindex: number; readonly traceIds: readonly string[] }
  | { readonly reprice: number }
  | { readonly close: number }

/** The messages from the thread of the indexers; `id` is the id of an indexer. */
export type FromThread =
  | { readonly caughtUp: number; readonly isIndexed: boolean }
  | { readonly status: IndexerStatus; readonly id: number }
  | { readonly models: readonly string[]; readonly id: number }
  | { readonly error: string; readonly id: number }
  | { readonly closed: number }

// The entry point of the thread in which the indexers of a process run, one for each database.

interface Opened {
  readonly indexer: Indexer
  close(): Promise<void>
}

const opened = new Map<number, Opened>()

parentPort?.on('message', (message: ToThread) => {
  if ('open' in message) opened.set(message.open, open(message.open, message))
  else if ('catchUp' in message) void catchUp(message)
  else if ('reindex' in message) opened.get(message.reindex)?.indexer.reindex(message.traceIds)
  else if ('reprice' in message) opened.get(message.reprice)?.indexer.reprice()
  else void close(message.close)
})

function open(id: number, { url, database }: { readonly url: string; readonly database: string }): Opened {
  const client = createStoreClient({ url })
  const skipping = createStoreClient({ url, skipsShards: true })
  const indexer = new Indexer({
    target: { client, url, database },
    partial: { client: skipping, url, database },
    onModels: (models) => {
      if (models.size > 0) send({ models: [...models], id })
    },
    onStatus: (status) => send({ status, id }),
    onError: (error) => send({ error: error instanceof Error ? error.message : String(error), id }),
  })
  indexer.start()
  return {
    indexer,
    async close() {
      await indexer.close()
      await Promise.all([client.close(), skipping.close()])
    },
  }
}

async function catchUp({ catchUp: id, call }: Extract<ToThread, { readonly catchUp: number }>): Promise<void> {
  const isIndexed = (await opened.get(id)?.indexer.catchUp()) ?? false
  send({ caughtUp: call, isIndexed })
}

async function close(id: number): Promise<void> {
  await opened.get(id)?.close()
  opened.delete(id)
  send({ closed: id })
}

const send = (message: FromThread): void => parentPort?.postMessage(message, [])
