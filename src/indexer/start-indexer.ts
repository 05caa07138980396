import { Worker } from 'node:worker_threads'

import type { FromThread, ToThread } from './thread.js'
import { type IndexerStatus, NOTHING_INDEXED } from './status.js'

export interface StartIndexerOptions {
  /** `http[s]://[user[:password]@]host[:port]` of ClickHouse's HTTP interface; the user may write. */
  readonly url: string
  readonly database: string
  /** Receives the models of the calls of indexed traces. @default no callback */
  readonly onModels?: ((models: readonly string[]) => void) | undefined
  /** Receives the message of an error after which the indexer retries. @default no callback */
  readonly onError?: ((message: string) => void) | undefined
}

/** An indexer that runs in a worker thread. */
export interface RunningIndexer {
  readonly status: IndexerStatus
  /** Resolves to true when all rows that are currently stored are indexed, and to false if indexing them fails. */
  catchUp(): Promise<boolean>
  /** Indexes stored traces again. */
  reindex(traceIds: readonly string[]): void
  /** Reads the prices again, and indexes the plans whose cost has changed. */
  reprice(): void
  /** Stops after the current pass. */
  close(): Promise<void>
}

/** The maximum heap size of the thread, MB. */
const MAX_HEAP_MB = 2_048
/**
 * The size of the young generation, MB. Most objects of a batch are short-lived: a large young generation avoids
 * copying.
 */
const YOUNG_HEAP_MB = 192
const RESTART_MS = 1_000

/** Starts an indexer of a database. All indexers of a process share a thread, which ends with the last of them. */
export function startIndexer(options: StartIndexerOptions): RunningIndexer {
  const id = thread.nextId++
  let status = NOTHING_INDEXED
  thread.add(id, {
    open: { open: id, url: options.url, database: options.database },
    onStatus: (reported) => (status = reported),
    onModels: (models) => options.onModels?.(models),
    onError: (message) => {
      status = { ...status, failure: message }
      options.onError?.(message)
    },
  })
  return {
    get status() {
      return status
    },
    catchUp: () => thread.catchUp(id),
    reindex: (traceIds) => thread.send({ reindex: id, traceIds }),
    reprice: () => thread.send({ reprice: id }),
    close: () => thread.remove(id),
  }
}

interface Client {
  readonly open: Extract<ToThread, { readonly open: number }>
  readonly onStatus: (status: IndexerStatus) => void
  readonly onModels: (models: readonly string[]) => void
  readonly onError: (message: string) => void
}

/** The thread that the indexers of this process share. It is restarted if it exits unexpectedly. */
class IndexerThread {
  nextId = 1
  #worker: Worker | undefined
  readonly #clients = new Map<number, Client>()
  readonly #calls = new Map<number, (isIndexed: boolean) => void>()
  readonly #closing = new Map<number, () => void>()
  #nextCall = 1

  add(id: number, client: Client): void {
    this.#clients.set(id, client)
    if (this.#worker) this.send(client.open)
    else this.#start()
  }

  send(message: ToThread): void {
    this.#worker?.postMessage(message)
  }

  catchUp(id: number): Promise<boolean> {
    if (!this.#worker) return Promise.resolve(false)
    const call = this.#nextCall++
    return new Promise((resolve) => {
      this.#calls.set(call, resolve)
      this.send({ catchUp: id, call })
    })
  }

  async remove(id: number): Promise<void> {
    if (!this.#clients.delete(id)) return
    if (this.#worker) {
      await new Promise<void>((resolve) => {
        this.#closing.set(id, resolve)
        this.send({ close: id })
      })
    }
    if (this.#clients.size > 0 || this.#closing.size > 0) return
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): void {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    this.#worker = worker
    worker.unref()
    worker.on('message', (message: FromThread) => this.#receive(message))
    worker.on('error', (error) => {
      for (const { onError } of this.#clients.values())
        onError(`The thread of the indexer failed and is restarted: ${String(error)}`)
    })
    worker.once('exit', () => this.#restart(worker))
    for (const { open } of this.#clients.values()) this.send(open)
  }

  #restart(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const resolve of [...this.#calls.values(), ...this.#closing.values()]) resolve(false)
    this.#calls.clear()
    this.#closing.clear()
    setTimeout(() => {
      if (this.#clients.size > 0 && !this.#worker) this.#start()
    }, RESTART_MS).unref()
  }

  #receive(message: FromThread): void {
    if ('caughtUp' in message) settle(this.#calls, message.caughtUp, message.isIndexed)
    else if ('closed' in message) settle(this.#closing, message.closed, true)
    else if ('status' in message) this.#clients.get(message.id)?.onStatus(message.status)
    else if ('models' in message) this.#clients.get(message.id)?.onModels(message.models)
    else this.#clients.get(message.id)?.onError(message.error)
  }
}

function settle(waiting: Map<number, (isDone: boolean) => void>, id: number, isDone: boolean): void {
  waiting.get(id)?.(isDone)
  waiting.delete(id)
}

const thread = new IndexerThread()
