import { resolve } from 'node:path'

import { startClickHouse } from '../clickhouse/index.js'
import { reorderDatabase, type Reordered, type ReorderStage } from '../store/index.js'

/** A database whose spans are put into another order. */
export interface ReorderStoreOptions {
  /** The embedded ClickHouse's directory, where no URL is given. */
  readonly dataDirectory: string
  /** `http[s]://user:password@host:port` of a ClickHouse server. @default an embedded one */
  readonly clickhouse?: string
  readonly database: string
  /** Called before each step; the numbers are rows. */
  readonly onProgress?: (stage: ReorderStage, done: number, total: number) => void
}

/** Reorders the span table of an embedded ClickHouse that nothing else has started, or of the one at a URL. */
export async function reorderStore(options: ReorderStoreOptions): Promise<Reordered | undefined> {
  const { dataDirectory, clickhouse: url, database, onProgress } = options
  const reorderAt = (at: string) => reorderDatabase({ url: at, database }, onProgress ? { onProgress } : {})
  if (url !== undefined) return reorderAt(url)
  const embedded = await startClickHouse({ dataDirectory: resolve(dataDirectory), databases: [database] })
  try {
    return await reorderAt(embedded.url)
  } finally {
    await embedded.stop()
  }
}
