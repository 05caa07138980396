import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'

import { storeError } from '../client/store-error.js'
import { deniedTo } from '../rights.js'
import { isDataError, isMemoryLimit, isTransportFailure } from './insert-failure.js'
import type { Encoding, WriteRequest } from './frame.js'
import { insertBatch, makeBatch } from './insert-batch.js'
import { insertIsolated, type WriteResult } from './isolate.js'

export interface StoreRequestsOptions {
  readonly client: ClickHouseClient
  /** The client's URL, for error messages. */
  readonly url: string
  readonly database: string
  /** Returns an OTLP request that contains only the spans for whose index `keep` returns true. */
  readonly narrow: (encoding: Encoding, body: Uint8Array, keep: (span: number) => boolean) => Uint8Array
  /** The maximum number of retries if ClickHouse does not respond. @default 3 */
  readonly retries?: number
  /** The delay before the first retry, milliseconds. It doubles with each retry. @default 200 */
  readonly retryDelayMs?: number
}

/**
 * Stores requests of one encoding in the tables with one insert, or with several if ClickHouse rejects a part of them.
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
        rejection: (error) =>
          isDataError(error) ? `ClickHouse rejected it: ${error.message.slice(0, 300)}` : undefined,
        isTooLarge: isMemoryLimit,
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
