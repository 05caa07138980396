import { findReplica, findShards, type QueryTarget, type Shard } from '../store/index.js'
import { type RunningIndexer, startIndexer, type StartIndexerOptions } from './start-indexer.js'
import type { IndexerStatus } from './status.js'

export interface OpenIndexersOptions extends Pick<StartIndexerOptions, 'onModels' | 'onError'> {
  /** The URLs of a cluster's hosts, separated by commas. @default the hosts in ClickHouse's configuration */
  readonly hosts?: string | undefined
}

/**
 * Starts the indexers of a database, one for each shard of a cluster, and returns them as one indexer: its status
 * contains the largest lag and the sums of the other figures. Throws `usage` if `hosts` is required.
 */
export async function openIndexers(target: QueryTarget, options: OpenIndexersOptions = {}): Promise<RunningIndexer> {
  const { database } = target
  const { hosts, ...callbacks } = options
  const shards = await findShards(target, hosts)
  const indexers = await Promise.all(
    shards.map(async (shard): Promise<RunningIndexer> =>
      shard.urls.length > 1
        ? ShardIndexer.start(shard, { database, ...callbacks })
        : startIndexer({ url: shard.urls[0] ?? target.url, database, ...callbacks }),
    ),
  )
  const [only] = indexers
  return only && indexers.length === 1 ? only : together(indexers)
}

function together(indexers: readonly RunningIndexer[]): RunningIndexer {
  return {
    get status() {
      return indexers.map(({ status }) => status).reduce(sumOf)
    },
    async catchUp() {
      const answers = await Promise.all(indexers.map((indexer) => indexer.catchUp()))
      return answers.every((isIndexed) => isIndexed)
    },
    // Each indexer reads traces of all shards.
    reindex: (traceIds) => indexers[0]?.reindex(traceIds),
    reprice() {
      for (const indexer of indexers) indexer.reprice()
    },
    async close() {
      await Promise.all(indexers.map((indexer) => indexer.close()))
    },
  }
}

const sumOf = (one: IndexerStatus, other: IndexerStatus): IndexerStatus => ({
  pendingSince:
    one.pendingSince === undefined || other.pendingSince === undefined
      ? (one.pendingSince ?? other.pendingSince)
      : Math.min(one.pendingSince, other.pendingSince),
  pendingRows: one.pendingRows + other.pendingRows,
  pendingTraces: one.pendingTraces + other.pendingTraces,
  indexedRows: one.indexedRows + other.indexedRows,
  writtenRows: one.writtenRows + other.writtenRows,
  failedTraces: one.failedTraces + other.failedTraces,
  failure: one.failure ?? other.failure,
})

/** How long a replica may fail before another one is used, milliseconds. */
const PATIENCE_MS = 60_000

/** The indexer of a shard with several replicas. It moves to another replica if the current one keeps failing. */
class ShardIndexer implements RunningIndexer {
  readonly #shard: Shard
  readonly #options: Omit<StartIndexerOptions, 'url'>
  #url: string
  #indexer: RunningIndexer
  /** The time of the first failure since the replica was started or checked, Unix milliseconds. */
  #failingSince: number | undefined
  #isMoving = false
  #isClosed = false

  static async start(shard: Shard, options: Omit<StartIndexerOptions, 'url'>): Promise<ShardIndexer> {
    return new ShardIndexer(shard, options, await findReplica(shard))
  }

  private constructor(shard: Shard, options: Omit<StartIndexerOptions, 'url'>, url: string) {
    this.#shard = shard
    this.#options = options
    this.#url = url
    this.#indexer = this.#start()
  }

  get status(): RunningIndexer['status'] {
    return this.#indexer.status
  }

  catchUp(): Promise<boolean> {
    return this.#indexer.catchUp()
  }

  reindex(traceIds: readonly string[]): void {
    this.#indexer.reindex(traceIds)
  }

  reprice(): void {
    this.#indexer.reprice()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#indexer.close()
  }

  #start(): RunningIndexer {
    this.#failingSince = undefined
    return startIndexer({
      ...this.#options,
      url: this.#url,
      onError: (message) => {
        this.#options.onError?.(message)
        this.#failingSince ??= Date.now()
        if (Date.now() - this.#failingSince > PATIENCE_MS) void this.#move()
      },
    })
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    const others = this.#shard.urls.filter((url) => url !== this.#url)
    const url = await findReplica({ urls: [this.#url, ...others] })
    this.#failingSince = undefined
    if (url !== this.#url && !this.#isClosed) {
      const failing = this.#indexer
      this.#url = url
      this.#indexer = this.#start()
      await failing.close()
    }
    this.#isMoving = false
  }
}
