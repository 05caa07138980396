import { Buffer } from 'node:buffer'

import { readRows, type QueryTarget } from '../client/query.js'
import { uint32, varint, type Encoding, type WriteRequest } from './frame.js'
import { insertStream } from './insert-stream.js'
import { turnstileOf } from './turnstile.js'

/** Longer than an insert into the journal may take and a segment is written to, seconds. */
const ORPHANED_SECONDS = 60
const INSERT_SECONDS = 10

/** How long a segment may be written to, milliseconds. */
export const SEGMENT_MS = 10_000

/**
 * Stores requests in a segment of the journal as they are. Throws the client's errors, and `store_unreachable` where
 * ClickHouse falls silent.
 */
export const insertIntoJournal = (
  target: QueryTarget,
  segment: string,
  requests: readonly WriteRequest[],
): Promise<void> =>
  turnstileOf(target.url).pass(() =>
    insertStream(target, {
      query: `INSERT INTO ${target.database}.otlp_journal (Segment, Encoding, SpanCount, Body) FORMAT RowBinary`,
      chunks: requests.flatMap(({ encoding, body, spans }) => [
        ...binary(segment),
        ...binary(encoding),
        uint32(spans),
        ...binary(body),
      ]),
      settings: { max_execution_time: INSERT_SECONDS },
    }),
  )

/** Drops a segment, all of which is stored. Throws the client's errors. */
export async function dropSegment({ client, database }: QueryTarget, segment: string): Promise<void> {
  await client.command({
    query: `ALTER TABLE ${database}.otlp_journal DROP PARTITION {segment:String}`,
    query_params: { segment },
  })
}

/** A segment, and whether nobody writes to it any more. */
export interface FoundSegment {
  readonly segment: string
  readonly isOrphaned: boolean
}

/** Finds all segments of the journal. Throws `store_unreachable`, `clickhouse_failed`. */
export async function findSegments(target: QueryTarget): Promise<FoundSegment[]> {
  const rows = await readRows<{ segment: string; orphaned: number }>(
    target,
    `SELECT Segment AS segment, max(TakenAt) < now() - ${String(ORPHANED_SECONDS)} AS orphaned
     FROM ${target.database}.otlp_journal GROUP BY Segment`,
  )
  return rows.map(({ segment, orphaned }) => ({ segment, isOrphaned: orphaned === 1 }))
}

/** Reads the requests of a segment. Throws `store_unreachable`, `clickhouse_failed`. */
export async function readSegment(target: QueryTarget, segment: string): Promise<WriteRequest[]> {
  const rows = await readRows<{ encoding: Encoding; spans: number; body: string }>(
    target,
    `SELECT Encoding AS encoding, SpanCount AS spans, base64Encode(Body) AS body
     FROM ${target.database}.otlp_journal WHERE Segment = {segment:String}`,
    { segment },
  )
  return rows.map(({ encoding, spans, body }) => ({ encoding, spans, body: Buffer.from(body, 'base64') }))
}

function binary(value: string | Uint8Array): readonly Uint8Array[] {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return [varint(bytes.length), bytes]
}
