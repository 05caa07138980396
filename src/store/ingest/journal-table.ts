import { Buffer } from 'node:buffer'

import { readRows, type QueryTarget } from '../client/query.js'
import { KINDS, uint32, varint, type WriteRequest } from './frame.js'
import { insertStream } from './insert-batch.js'
import { insertLockOf } from './insert-lock.js'
import { warnOfLostSpans } from './isolate.js'
import { storeRequests, type StoreRequestsOptions } from './store-requests.js'

/** The timeout of an insert into the journal, seconds. */
const INSERT_SECONDS = 10

/**
 * The age of the last insert from which a segment is orphaned: more than `SEGMENT_MS` and `INSERT_SECONDS` together.
 */
const ORPHANED_SECONDS = 60

/** How long new requests are added to a segment, milliseconds. */
export const SEGMENT_MS = 10_000

/**
 * Stores requests unchanged in a segment of the journal. Throws the client's errors, and `store_unreachable` if
 * ClickHouse stops responding.
 */
export const insertIntoJournal = (
  target: QueryTarget,
  segment: string,
  requests: readonly WriteRequest[],
): Promise<void> =>
  insertLockOf(target.url).shared(() =>
    insertStream(target, {
      query: `INSERT INTO ${target.database}.otlp_journal (Segment, Signal, Encoding, SpanCount, Body) FORMAT RowBinary`,
      chunks: requests.flatMap(({ signal = 'traces', encoding, body, spans }) => [
        ...binary(segment),
        ...binary(signal),
        ...binary(encoding),
        uint32(spans),
        ...binary(body),
      ]),
      settings: { max_execution_time: INSERT_SECONDS },
    }),
  )

/** Drops a segment whose requests are all in the span tables. Throws the client's errors. */
export async function dropSegment({ client, database }: QueryTarget, segment: string): Promise<void> {
  await client.command({
    query: `ALTER TABLE ${database}.otlp_journal DROP PARTITION {segment:String}`,
    query_params: { segment },
  })
}

/** A segment of the journal. */
interface FoundSegment {
  readonly segment: string
  /** Whether the last insert into it is so old that its writer has abandoned it. */
  readonly isOrphaned: boolean
}

/** Finds all segments of the journal. Throws `store_unreachable`, `clickhouse_failed`. */
async function findSegments(target: QueryTarget): Promise<FoundSegment[]> {
  const rows = await readRows<{ segment: string; orphaned: number }>(
    target,
    `SELECT Segment AS segment, max(TakenAt) < now() - ${String(ORPHANED_SECONDS)} AS orphaned
     FROM ${target.database}.otlp_journal GROUP BY Segment`,
  )
  return rows.map(({ segment, orphaned }) => ({ segment, isOrphaned: orphaned === 1 }))
}

/** Reads the requests of a segment. Throws `store_unreachable`, `clickhouse_failed`. */
async function readSegment(target: QueryTarget, segment: string): Promise<WriteRequest[]> {
  const rows = await readRows<Omit<WriteRequest, 'body'> & { body: string }>(
    target,
    `SELECT Signal AS signal, Encoding AS encoding, SpanCount AS spans, base64Encode(Body) AS body
     FROM ${target.database}.otlp_journal WHERE Segment = {segment:String}`,
    { segment },
  )
  return rows.map(({ body, ...request }) => ({ ...request, body: Buffer.from(body, 'base64') }))
}

function binary(value: string | Uint8Array): readonly Uint8Array[] {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return [varint(bytes.length), bytes]
}

/**
 * Stores requests from the journal in the span tables: those of `all` segments, or of `orphaned` ones only, which their
 * writer has abandoned. A request may already be stored, or be stored by another process at the same time: repeated
 * spans change nothing. A segment that may still be written to is not dropped.
 */
export async function takeOver(options: StoreRequestsOptions, which: 'all' | 'orphaned'): Promise<void> {
  for (const { segment, isOrphaned } of await findSegments(options)) {
    if (which === 'orphaned' && !isOrphaned) continue
    const requests = await readSegment(options, segment)
    for (const kind of KINDS) {
      const alike = requests.filter(({ signal, encoding }) => signal === kind.signal && encoding === kind.encoding)
      if (alike.length === 0) continue
      for (const result of await storeRequests(options, kind, alike)) warnOfLostSpans(result)
    }
    if (isOrphaned) await dropSegment(options, segment)
  }
}
