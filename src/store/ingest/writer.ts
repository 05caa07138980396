import type { ClickHouseClient } from '@clickhouse/client'
import { setTimeout as delay } from 'node:timers/promises'

import { storeError } from '../client.js'
import { deniedTo } from '../rights.js'
import { isDataError, isMemoryLimit, isTransportFailure } from './failure.js'
import type { Encoding, WriteRequest } from './frame.js'
import { GroupCommit } from './group-commit.js'
import { insertBatch, makeBatch } from './insert-batch.js'
import { insertIsolated, STORED, type WriteResult } from './isolate.js'
import { Pace } from './pace.js'

export interface SpanWriterOptions {
  readonly client: ClickHouseClient
  /** The client's URL, for messages. */
  readonly url: string
  readonly database: string
  /** An OTLP request with only the spans for whose index `keep` returns true. */
  readonly narrow: (encoding: Encoding, body: Uint8Array, keep: (span: number) => boolean) => Uint8Array
  /** @default 32_768 */
  readonly maxBatchSpans?: number
  /** @default 67_108_864 */
  readonly maxBatchBytes?: number
  /** The largest number of spans queued or being inserted, for each encoding. @default 262_144 */
  readonly maxQueuedSpans?: number
  /** @default 268_435_456 */
  readonly maxQueuedBytes?: number
  /** The number of retries of an insert when ClickHouse does not respond. @default 3 */
  readonly retries?: number
  /** The delay before the first retry, milliseconds; doubled before each further one. @default 200 */
  readonly retryDelayMs?: number
}

/** Writes OTLP requests to the landing tables. */
export interface SpanWriter {
  /**
   * Resolves when ClickHouse has stored the request, except for spans that it refused. Throws `store_busy` if the queue
   * is full, `store_unreachable`, `schema_mismatch` and `clickhouse_failed`: send the request again later;
   * `access_denied` if it may not: don't.
   *
   * `marks` are what the sender is known by: requests of senders that take their time may wait for each other. Without
   * any, a request never does.
   */
  write(request: WriteRequest, marks?: readonly string[]): Promise<WriteResult>
  /** Stops accepting requests; resolves when all accepted ones are stored or have failed. */
  close(): Promise<void>
}

/** A request counts as a span more for each so many of its parts: ClickHouse's memory goes by these, too. */
const PARTS_A_SPAN = 32

/** Senders that were answered together send again within less than this. */
const QUIET_MS = 20

/**
 * A writer that groups the requests that arrive during an insert into the next one, and those of senders that can wait,
 * for each encoding.
 */
export function createSpanWriter(options: SpanWriterOptions): SpanWriter {
  const {
    maxBatchSpans = 32_768,
    maxBatchBytes = 64 << 20,
    maxQueuedSpans = 262_144,
    maxQueuedBytes = 256 << 20,
  } = options
  const lane = (encoding: Encoding) => {
    const pace = new Pace()
    const group = new GroupCommit<WriteRequest, WriteResult>({
      commit: (requests) => commit(options, encoding, requests),
      size: ({ spans, parts = 0, body }) => ({ spans: Math.max(spans, parts / PARTS_A_SPAN), bytes: body.length }),
      maxBatchSpans,
      maxBatchBytes,
      maxQueuedSpans,
      maxQueuedBytes,
      quietMs: QUIET_MS,
    })
    return {
      async write(request: WriteRequest, marks: readonly string[]) {
        try {
          return await group.add(request, pace.comes(marks))
        } finally {
          pace.answered(marks)
        }
      },
      close: () => group.close(),
    }
  }
  const lanes = { protobuf: lane('protobuf'), json: lane('json') }
  return {
    write: async (request, marks = []) =>
      request.spans === 0 ? STORED : lanes[request.encoding].write(request, marks),
    async close() {
      await Promise.all([lanes.protobuf.close(), lanes.json.close()])
    },
  }
}

async function commit(
  options: SpanWriterOptions,
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
  { client, url, database, retries = 3, retryDelayMs = 200 }: SpanWriterOptions,
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
