import type { LeftOutJson, RECORD_HEADERS } from '../wire/index.js'
import { notPlanspan } from './request-error.js'
import type { RecordTextQuery } from './query-types.js'
import { type RecordId, recordRequest } from './record-request.js'
import { bodyOf, NOT_MODIFIED, type RequestOptions, type Transport } from './transport.js'

/** A rebuilt record. */
export interface RebuiltRecord {
  /** The record, byte for byte. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The verdict: complete, redacted, partial or altered. */
  readonly verdict: string
  /** The state of the plan. */
  readonly state: string
  /** The dialect of the bytes. */
  readonly dialect: string
  readonly traceId: string
  /** The number of gaps, and descriptions of the first ones. */
  readonly missingCount: number
  readonly missing: readonly string[]
  /** What a converted record does not hold, by kind of fact. */
  readonly leftOut: readonly LeftOutJson[]
  /** The etag, for `ifNoneMatch`. */
  readonly etag: string | undefined
}

/** The options of a request for a record. */
export interface RecordOptions extends RequestOptions {
  /** The `etag` of the known version. */
  readonly ifNoneMatch?: string | undefined
}

/** The header names of a rebuilt record; the compiler checks them against the server's. */
export const HEADERS: typeof RECORD_HEADERS = {
  verdict: 'planspan-verdict',
  state: 'planspan-state',
  dialect: 'planspan-dialect',
  trace: 'planspan-trace',
  missing: 'planspan-missing',
  missingList: 'planspan-missing-list',
  leftOut: 'planspan-left-out',
}

/** Asks for a record; undefined where it is the one that is there already. */
export async function readRecord(
  transport: Transport,
  id: RecordId,
  { query, options: { ifNoneMatch, signal } }: { readonly query: RecordTextQuery; readonly options: RecordOptions },
): Promise<RebuiltRecord | undefined> {
  const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
  const response = await transport.get(...recordRequest('GET /api/records/{id}', id, { query, headers, signal }))
  if (response.status === NOT_MODIFIED) return undefined
  const header = (name: keyof typeof HEADERS): string => response.headers.get(HEADERS[name]) ?? ''
  if (header('state') === '') {
    await response.body?.cancel()
    throw notPlanspan(transport.endpoint, response.status)
  }
  return {
    bytes: new Uint8Array(await bodyOf(transport.endpoint, () => response.arrayBuffer(), { signal })),
    verdict: header('verdict'),
    state: header('state'),
    dialect: header('dialect'),
    traceId: header('trace'),
    missingCount: Number(header('missing')),
    missing: JSON.parse(header('missingList') || '[]') as string[],
    leftOut: JSON.parse(header('leftOut') || '[]') as LeftOutJson[],
    etag: response.headers.get('etag') ?? undefined,
  }
}
