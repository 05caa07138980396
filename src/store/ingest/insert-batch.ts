import type { ClickHouseClient, ExecParams } from '@clickhouse/client'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { QueryTarget } from '../client/query.js'
import { whileAlive } from '../client/while-alive.js'
import { frame, type RequestKind, type StoredSignal, type WriteRequest } from './frame.js'
import { insertLockOf } from './insert-lock.js'

const PROTO = readFileSync(new URL('../landing/request.proto', import.meta.url), 'utf8')

/** The message of each signal's requests in request.proto, and the prefix of its landing tables. */
const LANDING = {
  traces: { message: 'Request', tables: 'otlp' },
  logs: { message: 'LogsRequest', tables: 'otlp_logs' },
} as const satisfies Record<StoredSignal, { message: string; tables: string }>

/** Returns the target of an insert, and the settings that its format needs. */
function landing({ signal = 'traces', encoding }: RequestKind): { into: string; settings: Record<string, string> } {
  const { message, tables } = LANDING[signal]
  if (encoding === 'json') return { into: `${tables}_json FORMAT RowBinary`, settings: {} }
  return {
    into: `${tables}_protobuf FORMAT Protobuf`,
    settings: { format_schema_source: 'string', format_schema: PROTO, format_schema_message_name: message },
  }
}

/** The bytes of an insert, and its deduplication token. */
interface Batch {
  readonly kind: RequestKind
  readonly chunks: readonly Uint8Array[]
  readonly token: string
  readonly spans: number
}

/**
 * ClickHouse plans each view of an insert anew. Merging the expressions of the plan saves time in a large insert. In an
 * insert of fewer spans than this it costs more time than it saves.
 */
const FEW_SPANS = 2048

/** Encodes requests of one kind as a batch; every retry sends the same bytes and token. */
export function makeBatch(kind: RequestKind, requests: readonly WriteRequest[]): Batch {
  const chunks = requests.flatMap(frame)
  const spans = requests.reduce((sum, request) => sum + request.spans, 0)
  return { kind, chunks, token: randomUUID(), spans }
}

/**
 * Inserts a batch; resolves when ClickHouse has stored it in all tables. Throws the client's errors, and
 * `store_unreachable` if ClickHouse stops responding.
 */
export const insertBatch = (target: QueryTarget, batch: Batch): Promise<void> =>
  insertLockOf(target.url).shared(() => insert(target, batch))

function insert(target: QueryTarget, { kind, chunks, spans, token }: Batch): Promise<void> {
  const { into, settings } = landing(kind)
  return insertStream(target, {
    query: `INSERT INTO ${target.database}.${into}`,
    chunks,
    settings: {
      ...settings,
      insert_deduplication_token: token,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      // By default a batch with spans of more than 100 days fails.
      max_partitions_per_insert_block: '0',
      // Merges replace a span's earlier rows anyway; deduplicating each batch takes a third of the insert's time.
      optimize_on_insert: 0,
      query_plan_merge_expressions: spans < FEW_SPANS ? 0 : 1,
      // By default the shards of a cluster receive the spans after the response.
      distributed_foreground_insert: 1,
    },
  })
}

/** An insert, with its rows as bytes in the format that the query names. */
interface InsertTask {
  readonly query: string
  readonly chunks: readonly Uint8Array[]
  readonly settings: NonNullable<ExecParams['clickhouse_settings']>
}

/**
 * Inserts rows; resolves when ClickHouse has stored them. Throws the client's errors, and `store_unreachable` if
 * ClickHouse stops responding.
 */
export async function insertStream(
  { client, url }: { readonly client: ClickHouseClient; readonly url: string },
  { query, chunks, settings }: InsertTask,
): Promise<void> {
  const cancelled = new AbortController()
  const inserting = client.exec({
    abort_signal: cancelled.signal,
    query,
    values: Readable.from(chunks, { objectMode: false }),
    // ClickHouse responds when the insert has ended, so that the status reports any error.
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, ...settings },
  })
  try {
    const { stream } = await whileAlive(url, inserting)
    await whileAlive(url, text(stream))
  } catch (error) {
    cancelled.abort()
    throw error
  }
}
