import { createHash } from 'node:crypto'

import { type Client, ClientError, type RebuiltRecord } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import type { BadRecord, EncodedRecord, EncodeOptions } from '../../mapping/index.js'
import type { SendResult, SpanSender } from '../../sender/index.js'
import type { Input } from '../records/input.js'
import { Progress } from '../output/progress-bar.js'
import { readRecords } from '../records/read-records.js'
import { SpanBatch } from '../records/span-batch.js'
import { differences } from './difference.js'

/** The outcome of verifying a file. */
export interface Verification {
  readonly records: number
  readonly spans: number
  /** The number of spans that the receiver rejected, and its reasons. */
  readonly rejected: number
  readonly reasons: readonly string[]
  /** The first differences, one line each; empty if the whole file was rebuilt byte for byte. */
  readonly differences: readonly string[]
}

export interface VerifyOptions {
  readonly sender: SpanSender
  readonly client: Client
  readonly options: EncodeOptions
}

const MAX_DIFFERENCES = 10
const READ_BATCH = 4

/**
 * Sends a file's records as spans, reads each back and compares whole files. Throws `invalid_record`,
 * `unknown_dialect`, `usage` for an unreadable file, and the errors of the sender and the client.
 */
export async function verifyFile(input: Input, { sender, client, options }: VerifyOptions): Promise<Verification> {
  const { records, spans, bytes, rejected, reasons } = await sendFile(input, sender, options)
  const found: string[] = []
  const add = (difference: string): void => {
    if (found.length < MAX_DIFFERENCES) found.push(difference)
  }
  const cameBack = new ByteDigest()
  const progress = new Progress(`reading back ${input.name}`, records.length)
  try {
    for (let first = 0; first < records.length; first += READ_BATCH) {
      const some = records.slice(first, first + READ_BATCH)
      const rebuilt = await Promise.all(some.map((record) => readBack(client, record)))
      for (const [index, { record, result }] of rebuilt.entries()) {
        const which = records.length === 1 ? '' : `record ${String(first + index + 1)}, `
        for (const difference of recordDifferences(record, result)) add(`${which}${difference}`)
        if (!(result instanceof ClientError)) cameBack.add(result.bytes)
      }
      progress.update(first, `${String(first)} records`)
    }
  } finally {
    progress.end()
  }
  if (cameBack.digest() !== bytes.digest()) {
    add(`the file: ${String(bytes.length)} bytes went in, ${String(cameBack.length)} came back`)
  }
  return { records: records.length, spans, rejected, reasons, differences: found }
}

/** The text of a record, to compare, and the ids for reading it back. */
type SentRecord = Pick<EncodedRecord, 'planId' | 'source' | 'traceId' | 'dialect' | 'text'>

interface SentFile extends SendResult {
  readonly records: readonly SentRecord[]
  readonly spans: number
  readonly bytes: ByteDigest
}

async function sendFile(input: Input, sender: SpanSender, options: EncodeOptions): Promise<SentFile> {
  const bytes = new ByteDigest()
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks()) {
      bytes.add(chunk)
      yield chunk
    }
  }
  const batch = new SpanBatch(sender)
  const progress = new Progress(`sending ${input.name}`, await input.size())
  const records: SentRecord[] = []
  let spans = 0
  try {
    for await (const found of readRecords(chunks(), options)) {
      if ('error' in found) throw badRecord(found)
      const { planId, source, traceId, dialect, text } = found.record
      records.push({ planId, source, traceId, dialect, text })
      spans += found.record.spans.length
      await batch.add(found.record.spans)
      progress.update(bytes.length, `${String(records.length)} records`)
    }
    return { records, spans, bytes, ...(await batch.finish()) }
  } finally {
    progress.end()
  }
}

const badRecord = ({ error: { code, message }, line }: BadRecord): PlanspanError =>
  new PlanspanError(code, `bad record from line ${String(line)} on: ${message}`)

/** Counts and digests the bytes of a stream. */
class ByteDigest {
  length = 0
  readonly #hash = createHash('sha256')

  add(bytes: Uint8Array): void {
    this.length += bytes.length
    this.#hash.update(bytes)
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}

interface ReadBack {
  readonly record: SentRecord
  readonly result: RebuiltRecord | ClientError
}

async function readBack(client: Client, record: SentRecord): Promise<ReadBack> {
  const { planId, source, traceId, dialect } = record
  try {
    return { record, result: await client.record(planId, { source, trace: traceId, format: dialect }) }
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not_found') return { record, result: error }
    throw error
  }
}

function* recordDifferences({ planId, text }: SentRecord, result: ReadBack['result']): Generator<string> {
  if (result instanceof ClientError) {
    yield `the plan ${JSON.stringify(planId)} did not come back: ${result.message}`
    return
  }
  yield* differences(text, asText(result.bytes))
  if (result.verdict !== 'complete') {
    yield `the verdict is ${result.verdict}${result.missing.length > 0 ? `: ${result.missing.join('; ')}` : ''}`
  }
}

const asText = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
