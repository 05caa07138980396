import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { QueryTarget } from '../client/query.js'
import { frame, type Encoding, type WriteRequest } from './frame.js'
import { insertStream } from './insert-stream.js'
import { turnstileOf } from './turnstile.js'

const LANDING = {
  protobuf: {
    into: 'otlp_protobuf FORMAT Protobuf',
    settings: {
      format_schema_source: 'string',
      format_schema: readFileSync(new URL('../landing/request.proto', import.meta.url), 'utf8'),
      format_schema_message_name: 'Request',
    },
  },
  json: { into: 'otlp_json FORMAT RowBinary', settings: {} },
} as const satisfies Record<Encoding, { into: string; settings: Record<string, string> }>

/** The bytes of an insert, and the token by which ClickHouse deduplicates it. */
export interface Batch {
  readonly encoding: Encoding
  readonly chunks: readonly Uint8Array[]
  readonly token: string
  readonly spans: number
}

/**
 * ClickHouse plans each view of an insert anew. To merge the plan's expressions saves time in a large insert, and costs
 * more than it saves in one of fewer spans than these.
 */
const FEW_SPANS = 2048

/** Makes the insert for some requests of one encoding; every retry sends the same bytes and token. */
export function makeBatch(encoding: Encoding, requests: readonly WriteRequest[]): Batch {
  const chunks = requests.flatMap(frame)
  const spans = requests.reduce((sum, request) => sum + request.spans, 0)
  return { encoding, chunks, token: randomUUID(), spans }
}

/**
 * Inserts a batch; resolves when ClickHouse has stored it in all tables. Throws the client's errors, and
 * `store_unreachable` where ClickHouse falls silent.
 */
export const insertBatch = (target: QueryTarget, batch: Batch): Promise<void> =>
  turnstileOf(target.url).pass(() => insert(target, batch))

function insert(target: QueryTarget, { encoding, chunks, spans, token }: Batch): Promise<void> {
  const { into, settings } = LANDING[encoding]
  return insertStream(target, {
    query: `INSERT INTO ${target.database}.${into}`,
    chunks,
    settings: {
      ...settings,
      insert_deduplication_token: token,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      // Otherwise a batch with spans of more than 100 days fails.
      max_partitions_per_insert_block: '0',
      // Merges replace a span's earlier rows anyway; looking for them in each batch costs a third of the insert.
      optimize_on_insert: 0,
      query_plan_merge_expressions: spans < FEW_SPANS ? 0 : 1,
      // Otherwise a cluster's shards receive the spans some time after the response.
      distributed_foreground_insert: 1,
    },
  })
}
