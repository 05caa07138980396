import type { ClickHouseClient } from '@clickhouse/client'

import { createStoreClient, type StoreClientOptions } from './client.js'
import { storeError } from './store-error.js'

/** A database of the ClickHouse at a URL. */
export interface At {
  readonly url: string
  readonly database: string
}

/** Runs a task with a client of its own, which is closed afterwards. Throws what queries throw. */
export async function withClient<Result>(
  at: At,
  task: (client: ClickHouseClient) => Promise<Result>,
  options: Pick<StoreClientOptions, 'requestTimeoutMs'> = {},
): Promise<Result> {
  const client = createStoreClient({ url: at.url, ...options })
  try {
    return await task(client)
  } catch (error) {
    throw storeError(error, at)
  } finally {
    await client.close()
  }
}
