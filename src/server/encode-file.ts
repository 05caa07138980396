import { setImmediate } from 'node:timers/promises'

import { PlanspanError, type PlanspanErrorCode } from '../error.js'
import {
  emptyFile,
  recordEncoder,
  RecordStream,
  type BadRecord,
  type EncodedRecord,
  type EncodeOptions,
  type FoundRecord,
} from '../mapping/index.js'
import { otlpRequests } from '../mapping/otlp-json.js'
import { receive, type ReceivedRequest } from '../otlp/index.js'

/** A record whose spans are ready for the store. */
export interface ReadyRecord {
  /** The line on which the record starts, from 1. */
  readonly line: number
  readonly record: Omit<EncodedRecord, 'spans' | 'text'>
  readonly requests: readonly ReceivedRequest[]
  readonly spans: number
}

/** A record that is not stored. */
export interface RefusedRecord {
  /** The line of the file on which it starts, from 1. */
  readonly line: number
  readonly code: PlanspanErrorCode
  readonly detail: string
}

export interface EncodeFileOptions extends EncodeOptions {
  /** Records with a span that starts before this time (unix nanoseconds) are refused. */
  readonly refuseBefore: bigint | undefined
}

/** What imports from elsewhere than an SDK call their service. */
const SERVICE_NAME = 'planspan-import'
/** How much is read before others have their turn. */
const PIECE_BYTES = 1 << 18

/** All records of a file as OTLP requests, and what is wrong with the others. Throws `usage` for an unknown time zone. */
export async function encodeFile(
  bytes: Uint8Array,
  { refuseBefore, ...options }: EncodeFileOptions,
): Promise<{ ready: ReadyRecord[]; refused: RefusedRecord[] }> {
  const ready: ReadyRecord[] = []
  const refused: RefusedRecord[] = []
  const encode = recordEncoder(options)
  const take = (found: FoundRecord | BadRecord): void => {
    const result = prepare(found, encode, refuseBefore)
    if ('requests' in result) ready.push(result)
    else refused.push(result)
  }
  const stream = new RecordStream(options.format)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    for (const found of stream.push(bytes.subarray(at, at + PIECE_BYTES))) take(found)
    await setImmediate()
  }
  for (const found of stream.end()) take(found)
  if (ready.length + refused.length === 0) refused.push(refusalOf(emptyFile(), 1))
  return { ready, refused }
}

function prepare(
  found: FoundRecord | BadRecord,
  encode: (found: FoundRecord) => EncodedRecord,
  refuseBefore: bigint | undefined,
): ReadyRecord | RefusedRecord {
  const { line } = found
  if ('error' in found) return refusalOf(found.error, line)
  try {
    const { spans, text: _, ...record } = encode(found)
    const requests = [...otlpRequests(spans, { serviceName: SERVICE_NAME })].map(({ text }) =>
      requestOf(Buffer.from(text), refuseBefore),
    )
    return { line, record, requests, spans: spans.length }
  } catch (error) {
    if (error instanceof PlanspanError) return refusalOf(error, line)
    throw error
  }
}

/** Throws `invalid_record` where a span would be refused: a record is stored whole or not at all. */
function requestOf(body: Uint8Array, refuseBefore: bigint | undefined): ReceivedRequest {
  const received = receive('json', body, { refuseBefore })
  const reason = received.ok ? received.request.refused?.errorMessage : received.message
  if (received.ok && reason === undefined) return received.request
  throw new PlanspanError('invalid_record', `The record cannot be stored as spans. ${reason ?? ''}`)
}

const refusalOf = ({ code, message }: PlanspanError, line: number): RefusedRecord => ({ line, code, detail: message })
