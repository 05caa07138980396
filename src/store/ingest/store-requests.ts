import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'

import { storeError } from '../client/store-error.js'
import { deniedTo } from '../rights.js'
import { isDataError, isMemoryLimit, isTransportFailure } from './failure.js'
import type { Encoding, WriteRequest } from './frame.js'
import { insertBatch, makeBatch } from './insert-batch.js'
import { insertIsolated, type WriteResult } from './isolate.js'

export interface StoreRequestsOptions {
  readonly client: ClickHouseClient
  /** The client's URL, for messages. */
  readonly url: string
  readonly database: string
  /** An OTLP request with only the spans for whose index `keep` returns true. */
  readonly narrow: (encoding: Encoding, body: Uint8Array, keep: (span: number) => boolean) => Uint8Array
  /** The number of retries of an insert when ClickHouse does not respond. @default 3 */
  readonly retries?: number
  /** The delay before the first retry, milliseconds; doubled before each further one. @default 200 */
  readonly retryDelayMs?: number
}

/**
 * Stores requests of one encoding in the tables with one insert, or with several if ClickHouse refuses any of it.
 * Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`, `access_denied`.
 */
export async function storeRequests(
  options: StoreRequestsOptions,
  encoding: Encoding,
  requests: readonly WriteRequest[],
): Promise<WriteResult[]> {
  try {
    return await insertIsolated(
      {
        insert: (part) => insertWithRetries(options, encoding, part),
        refusal: (error) => (isDataError(error) ? `ClickHouse refused it: ${error.message.slice(0, 300)}` : undefined),
        wantsLess: isMemoryLimit,
        narrow: ({ body }, keep) => options.narrow(encoding, body, keep),
      },
      requests,
    )
  } catch (error) {
    throw (await deniedTo('writer', error, options)) ?? storeError(error, options)
  }
}

async function insertWithRetries(
  { client, url, database, retries = 3, retryDelayMs = 200 }: StoreRequestsOptions,
  encoding: Encoding,
  requests: readonly WriteRequest[],
): Promise<void> {
  const batch = makeBatch(encoding, requests)
  for (let attempt = 0; ; attempt++) {
    try {
      return await insertBatch({ client, url, database }, batch)
    } catch (error) {
      if (attempt >= retries || !isTransportFailure(error)) throw error
      await delay(retryDelayMs * 2 ** attempt)
    }
  }
}
