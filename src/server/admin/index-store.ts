import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import type { RunningIndexer } from '../../indexer/index.js'
import { countTracesSince, isPlanspanDatabase, type QueryTarget, tracesSince } from '../../store/index.js'
import { type OpenStore, openStore } from '../open-store/index.js'
import { type TenantsAt, withClickHouse } from './reach-clickhouse.js'

/** The store to index, and the time range. */
export interface IndexStoreOptions extends TenantsAt {
  readonly database: string
  /** The URLs of a cluster's hosts, separated by commas. @default those in ClickHouse's configuration */
  readonly hosts?: string | undefined
  /** Indexes all traces again with spans that start at this time, Unix milliseconds, or later. @default none */
  readonly since?: number | undefined
  /** Stops the indexer. */
  readonly signal: AbortSignal
  /** Receives the report when everything is indexed; indexing continues until the signal. @default stops then */
  readonly onCaughtUp?: ((report: IndexReport) => void) | undefined
  /** Receives the number of indexed rows or traces, and the total. */
  readonly onProgress?: (done: number, total: number, unit: 'row' | 'trace') => void
  /** Receives the message of an error after which the indexer retries. */
  readonly onError?: ((message: string) => void) | undefined
}

/** The result of an indexer. */
export interface IndexReport {
  readonly database: string
  /** The number of rows read from the span table. */
  readonly spanRows: number
  /** The number of traces that were indexed again. */
  readonly reindexedTraces: number
  /** The number of rows written. */
  readonly writtenRows: number
  /** The number of additional traces that could not be read completely. */
  readonly failedTraces: number
}

/** The number of traces per batch. */
const BATCH = 500
const PROGRESS_MS = 100
const PAUSE_MS = 100

/**
 * Indexes a database without serving it. Throws `not_found` for a missing directory, `schema_mismatch` for a
 * database that is not planspan's, `access_denied` for a user who may not write, and what opening a store throws.
 */
export async function indexStore(options: IndexStoreOptions): Promise<IndexReport> {
  const { dataDirectory, clickhouse, database, hosts, onError } = options
  if (clickhouse === undefined && !existsSync(dataDirectory)) {
    throw new PlanspanError(
      'not_found',
      `There is no directory ${dataDirectory}. Give the one of the store with --data.`,
    )
  }
  return withClickHouse(options, async ({ url }) => {
    if (!(await isPlanspanDatabase({ url, database }))) {
      throw new PlanspanError(
        'schema_mismatch',
        `The database ${database} is not there or has no tables of planspan. \`planspan serve\` creates them, or apply ` +
          'what `planspan schema` prints.',
      )
    }
    const opened = await openStore({ clickhouseUrl: url, database, hosts, onIndexerError: onError })
    try {
      return await runIndexer(opened, url, options)
    } finally {
      await opened.close()
    }
  })
}

async function runIndexer(
  { indexer, store }: OpenStore,
  url: string,
  { database, since, signal, onCaughtUp, onProgress = () => {} }: IndexStoreOptions,
): Promise<IndexReport> {
  if (!indexer) {
    throw new PlanspanError(
      'access_denied',
      'ClickHouse’s user may not write, which an indexer has to. docs/deployment.md#rights-in-clickhouse has what a ' +
        'writer needs.',
    )
  }
  const target = { client: store.client, url, database: store.database }
  const stop = { signal, aborted: whenAborted(signal) }
  let total = 0
  let onStatus = (): void => {
    const { pendingRows, indexedRows } = indexer.status
    total = Math.max(total, indexedRows + pendingRows)
    onProgress(total - pendingRows, total, 'row')
  }
  const timer = setInterval(() => onStatus(), PROGRESS_MS)
  try {
    await catchUp(indexer, stop)
    onStatus = () => {}
    const reindexedTraces = since === undefined ? 0 : await reindexSince(target, indexer, { since, stop, onProgress })
    const report = (): IndexReport => {
      const { indexedRows: spanRows, writtenRows, failedTraces } = indexer.status
      return { database, spanRows, reindexedTraces, writtenRows, failedTraces }
    }
    if (onCaughtUp && !signal.aborted) {
      onCaughtUp(report())
      await stop.aborted
    }
    return report()
  } finally {
    clearInterval(timer)
  }
}

/** A signal that stops the work, and a promise that resolves then. */
interface Stop {
  readonly signal: AbortSignal
  readonly aborted: Promise<void>
}

/** Waits until everything is indexed and recorded as indexed. Throws the indexer's error. */
async function catchUp(indexer: RunningIndexer, { signal, aborted }: Stop): Promise<void> {
  for (;;) {
    await Promise.race([indexer.catchUp(), aborted])
    const { failure, pendingRows, pendingTraces } = indexer.status
    if (signal.aborted) return
    if (failure !== undefined) throw new PlanspanError('clickhouse_failed', failure)
    if (pendingRows === 0 && pendingTraces === 0) return
    // Traces that another indexer may be writing are indexed again after some seconds.
    await Promise.race([delay(PAUSE_MS), aborted])
  }
}

interface Reindexing extends Required<Pick<IndexStoreOptions, 'onProgress'>> {
  readonly since: number
  readonly stop: Stop
}

/** Indexes traces again, the latest first. Returns their number. */
async function reindexSince(
  target: QueryTarget,
  indexer: RunningIndexer,
  { since, stop, onProgress }: Reindexing,
): Promise<number> {
  const from = Math.floor(since / 1000)
  const total = await countTracesSince(target, from)
  let done = 0
  for await (const traceIds of tracesSince(target, from)) {
    for (let at = 0; at < traceIds.length; at += BATCH) {
      const batch = traceIds.slice(at, at + BATCH)
      indexer.reindex(batch)
      await catchUp(indexer, stop)
      if (stop.signal.aborted) return done
      done += batch.length
      onProgress(done, Math.max(done, total), 'trace')
    }
  }
  return done
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
