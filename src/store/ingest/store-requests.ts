import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'
import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import type { Reserve } from '../client/query.js'
import { explainFailure } from '../rights.js'
import type { RequestKind, WriteRequest } from './frame.js'
import { insertBatch, makeBatch } from './insert-batch.js'
import { insertIsolated, type WriteResult } from './isolate.js'

export interface StoreRequestsOptions {
  readonly client: ClickHouseClient
  /** The client's URL, for error messages. */
  readonly url: string
  readonly database: string
  /** Returns the body of a request that contains only the items for whose index `keep` returns true. */
  readonly narrow: (request: WriteRequest, keep: (item: number) => boolean) => Uint8Array
  /** Space that is freed for the requests when the disk is full. @default none */
  readonly reserve?: Reserve | undefined
  /** The maximum number of retries if ClickHouse does not respond. @default 3 */
  readonly retries?: number
  /** The delay before the first retry, milliseconds. It doubles with each retry. @default 200 */
  readonly retryDelayMs?: number
}

/**
 * Stores requests of one kind in the tables with one insert, or with several if ClickHouse rejects a part of them.
 * Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`, `access_denied`.
 */
export async function storeRequests(
  options: StoreRequestsOptions,
  kind: RequestKind,
  requests: readonly WriteRequest[],
): Promise<WriteResult[]> {
  try {
    return await insertIsolated(
      {
        insert: (part) => insertWithRetries(options, kind, part),
        rejection: (error) =>
          isDataError(error) ? `ClickHouse rejected it: ${error.message.slice(0, 300)}` : undefined,
        isTooLarge: isMemoryLimit,
        narrow: (request, keep) => options.narrow(request, keep),
      },
      requests,
    )
  } catch (error) {
    const failure = await explainFailure('writer', error, options)
    if (failure.code === 'disk_full' && options.reserve?.release()) return storeRequests(options, kind, requests)
    throw failure
  }
}

async function insertWithRetries(
  { client, url, database, retries = 3, retryDelayMs = 200 }: StoreRequestsOptions,
  kind: RequestKind,
  requests: readonly WriteRequest[],
): Promise<void> {
  const batch = makeBatch(kind, requests)
  for (let attempt = 0; ; attempt++) {
    try {
      return await insertBatch({ client, url, database }, batch)
    } catch (error) {
      if (attempt >= retries || !isTransportFailure(error)) throw error
      await delay(retryDelayMs * 2 ** attempt)
    }
  }
}

/**
 * ClickHouse's error codes for invalid rows
 * (https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp). After any other error ClickHouse
 * may accept the same rows later.
 */
const DATA_ERRORS: ReadonlySet<string> = new Set([
  'CANNOT_PARSE_TEXT',
  'CANNOT_READ_ALL_DATA',
  'ATTEMPT_TO_READ_AFTER_EOF',
  'INCORRECT_DATA',
  'UNKNOWN_PROTOBUF_FORMAT',
  'PROTOBUF_BAD_CAST',
  'PROTOBUF_FIELD_NOT_REPEATED',
  'NO_COLUMNS_SERIALIZED_TO_PROTOBUF_FIELDS',
  'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
  'VIOLATED_CONSTRAINT',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'ARGUMENT_OUT_OF_BOUND',
  'DECIMAL_OVERFLOW',
  'CANNOT_CONVERT_TYPE',
  'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  'TOO_LARGE_STRING_SIZE',
  'TOO_LARGE_ARRAY_SIZE',
  'TOO_DEEP_RECURSION',
])

/** Whether ClickHouse rejected the rows of an insert as invalid. */
const isDataError = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && DATA_ERRORS.has(error.type ?? '')

/** Whether an insert exceeded ClickHouse's memory limit. */
const isMemoryLimit = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.type === 'MEMORY_LIMIT_EXCEEDED'

/**
 * Whether ClickHouse did not respond. Its rows may or may not be stored, so the same insert is retried. A timeout,
 * which is a `PlanspanError`, is not retried, because the senders of the spans have waited as long.
 */
const isTransportFailure = (error: unknown): boolean =>
  !(error instanceof ClickHouseError || error instanceof PlanspanError)
