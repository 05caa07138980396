import { append } from '../../base/append.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import {
  emptyFile,
  recordEncoder,
  RecordStream,
  type BadRecord,
  type EncodedRecord,
  type EncodeOptions,
  type FoundRecord,
} from '../../mapping/index.js'
import { refusedSpans, storeRequests, type StoreRequest } from '../../otlp/index.js'
import { createRedactor, redactRecordSpan } from '../../redaction/index.js'
import { ownedBytes, SMALL_FILE_BYTES, type Question } from './worker-messages.js'
import type { WorkerPool } from './worker-pool.js'

/** A record whose spans are ready for the store. */
export interface ReadyRecord {
  /** The line on which the record starts, from 1. */
  readonly line: number
  readonly record: Omit<EncodedRecord, 'spans' | 'text'>
  readonly requests: readonly StoreRequest[]
  readonly spans: number
  /** The size of all requests together. */
  readonly bytes: number
}

/** A rejected record. */
export interface RefusedRecord {
  /** The line of the file on which the record starts, from 1. */
  readonly line: number
  readonly code: PlanspanErrorCode
  readonly detail: string
}

/** The report of a file's rejected records. */
interface FileRefusals {
  /** The first rejected records. */
  readonly refused: readonly RefusedRecord[]
  readonly refusedCount: number
}

export interface EncodeFileOptions extends EncodeOptions {
  /** Records with a span that starts before this time (unix nanoseconds) are refused. */
  readonly refuseBefore: bigint | undefined
  /** Whether to encode the remaining records even after many have been refused. */
  readonly keepGoing: boolean
  /** The largest total size of all requests, in bytes. */
  readonly maxSpanBytes: number
}

/** The service name of imported records. */
const SERVICE_NAME = 'planspan-import'
/** The number of bytes parsed at once. */
const CHUNK_BYTES = 1 << 18
/** The heap that encoding takes for each byte of a file, at most. */
const HEAP_PER_BYTE = 8
/** The number of refused records that are reported in detail. */
const MAX_REFUSED = 1_000
/** Limits of a request besides its bytes, because each record, value and span costs memory and time. */
const MAX_RECORDS = 262_144
const MAX_VALUES = 2_097_152
const MAX_SPANS = 131_072

type Encode = (found: FoundRecord) => EncodedRecord

/**
 * Encodes the records of a file as OTLP requests, and reports the invalid ones; undefined if the requests
 * exceed `maxSpanBytes`. Throws `usage` for an unknown time zone, and `request_too_large` for too many records.
 */
export async function encodeFile(
  bytes: Uint8Array,
  { refuseBefore, keepGoing, maxSpanBytes, ...options }: EncodeFileOptions,
  keep: (record: ReadyRecord) => Promise<void> | void,
): Promise<FileRefusals | undefined> {
  const refused: RefusedRecord[] = []
  let refusedCount = 0
  let spanBytes = 0
  let records = 0
  const encode = encoderOf(options)
  for (const found of recordsOf(bytes, options.format)) {
    if (++records > MAX_RECORDS) {
      throw new PlanspanError(
        'request_too_large',
        `Nothing was imported. The file has more than ${MAX_RECORDS} records. Send them in several requests, or with ` +
          '`planspan import`.',
      )
    }
    const result = prepare(found, encode, refuseBefore)
    if ('requests' in result) {
      spanBytes += result.bytes
      if (spanBytes > maxSpanBytes) return undefined
      await keep(result)
      continue
    }
    refusedCount++
    if (refused.length < MAX_REFUSED) refused.push(result)
    else if (!keepGoing) break
  }
  return { refused, refusedCount }
}

/** The encoder of a file's records, which masks secrets if `redacted` is set. */
function encoderOf(options: EncodeOptions): Encode {
  const encode = recordEncoder({ ...options, maxSpans: MAX_SPANS })
  if (options.redacted !== true) return encode
  const redactor = createRedactor()
  return (found) => {
    const record = encode(found)
    return { ...record, spans: record.spans.map((span) => redactRecordSpan(redactor, span)) }
  }
}

function* recordsOf(
  bytes: Uint8Array,
  format: EncodeOptions['format'],
): Generator<FoundRecord | BadRecord, void, undefined> {
  const stream = new RecordStream(format, { maxValues: MAX_VALUES })
  let isEmpty = true
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    for (const found of stream.push(bytes.subarray(at, at + CHUNK_BYTES))) {
      isEmpty = false
      yield found
    }
  }
  for (const found of stream.end()) {
    isEmpty = false
    yield found
  }
  if (isEmpty) yield { error: emptyFile(), line: 1 }
}

function prepare(
  found: FoundRecord | BadRecord,
  encode: Encode,
  refuseBefore: bigint | undefined,
): ReadyRecord | RefusedRecord {
  const { line } = found
  if ('error' in found) return refusalOf(found.error, line)
  try {
    const { spans, text: _, ...record } = encode(found)
    // A record is stored whole or not at all.
    const refused = refusedSpans(spans, { refuseBefore })
    if (refused) {
      throw new PlanspanError('invalid_record', `The record cannot be stored as spans. ${refused.errorMessage}`)
    }
    const requests = [...storeRequests(spans, { serviceName: SERVICE_NAME })]
    const bytes = requests.reduce((total, { body }) => total + body.length, 0)
    return { line, record, requests, spans: spans.length, bytes }
  } catch (error) {
    if (error instanceof PlanspanError) return refusalOf(error, line)
    throw error
  }
}

const refusalOf = ({ code, message }: PlanspanError, line: number): RefusedRecord => ({ line, code, detail: message })

/** A file's records, ready for the store, and the report of the rejected records. */
export interface EncodedFile extends FileRefusals {
  readonly ready: readonly ReadyRecord[]
}

const TOO_LARGE =
  'The records of this file are too large to be encoded in the memory that planspan allows itself. Send them in several ' +
  'requests, or with `planspan import`.'

/**
 * Encodes a file of records: a small file immediately, a large file in a worker, to which the bytes are transferred.
 * Undefined if its spans exceed the limit. Throws as `encodeFile` and the pool do.
 */
export async function encodeInTurn(
  pool: WorkerPool,
  bytes: Uint8Array,
  options: EncodeFileOptions,
  signal: AbortSignal,
): Promise<EncodedFile | undefined> {
  const ready: ReadyRecord[] = []
  const refusals =
    bytes.length <= SMALL_FILE_BYTES
      ? await encodeFile(bytes, options, (record) => void ready.push(record))
      : await pool.run<FileRefusals | undefined>({
          work: { work: 'encode', task: { bytes: ownedBytes(bytes), options } },
          signal,
          tooLarge: TOO_LARGE,
          bytes: bytes.length * HEAP_PER_BYTE,
          answer: async (question: Question) => {
            if (question.ask === 'keep') append(ready, question.records)
          },
        })
  return refusals && { ...refusals, ready }
}
