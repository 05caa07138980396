import { PlanspanError } from '../error.js'
import { encodeRecords, type EncodedRecord, type EncodeOptions } from '../mapping/index.js'
import type { SpanSender } from '../tracing/index.js'
import { differences } from './difference.js'
import type { RebuiltRecord, RecordsClient } from './records-client.js'
import { SpanBatch } from './span-batch.js'

/** How a file's records came back. */
export interface Verification {
  readonly records: number
  readonly spans: number
  /** Spans that the receiver refused, and why. */
  readonly rejected: number
  readonly reasons: readonly string[]
  /** The first differences, a line each; none when the whole file came back byte for byte. */
  readonly differences: readonly string[]
}

const MAX_DIFFERENCES = 10
const READS_AT_ONCE = 4

/** Sends a file's records as spans, reads each back and compares whole files. Throws `invalid_record`, `unknown_dialect`. */
export async function verifyFile(
  bytes: Uint8Array,
  { sender, client, options }: { sender: SpanSender; client: RecordsClient; options: EncodeOptions },
): Promise<Verification> {
  const records = [...encodeRecords(bytes, options)]
  const batch = new SpanBatch(sender)
  for (const { spans } of records) await batch.add(spans)
  const { rejected, reasons } = await batch.finish()
  const rebuilt: (RebuiltRecord | PlanspanError)[] = []
  while (rebuilt.length < records.length) {
    const next = records.slice(rebuilt.length, rebuilt.length + READS_AT_ONCE)
    rebuilt.push(...(await Promise.all(next.map((record) => readBack(client, record)))))
  }
  return {
    records: records.length,
    spans: records.reduce((sum, { spans }) => sum + spans.length, 0),
    rejected,
    reasons,
    differences: [...firstOf(fileDifferences(bytes, records, rebuilt), MAX_DIFFERENCES)],
  }
}

async function readBack(client: RecordsClient, record: EncodedRecord): Promise<RebuiltRecord | PlanspanError> {
  try {
    return await client.read(record.planId, { source: record.source, trace: record.traceId, format: record.dialect })
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'not_found') return error
    throw error
  }
}

function* fileDifferences(
  bytes: Uint8Array,
  records: readonly EncodedRecord[],
  rebuilt: readonly (RebuiltRecord | PlanspanError)[],
): Generator<string> {
  for (const [index, record] of records.entries()) {
    const which = records.length === 1 ? '' : `record ${String(index + 1)}, `
    const result = rebuilt[index]
    if (!result || result instanceof PlanspanError) {
      yield `${which}the plan ${JSON.stringify(record.planId)} did not come back: ${result?.message ?? ''}`
      continue
    }
    for (const difference of differences(record.text, textOf(result.bytes))) yield `${which}${difference}`
    if (result.verdict !== 'complete') {
      yield `${which}the verdict is ${result.verdict}${result.missing.length > 0 ? `: ${result.missing.join('; ')}` : ''}`
    }
  }
  const whole = Buffer.concat(
    rebuilt.map((result) => (result instanceof PlanspanError ? new Uint8Array() : result.bytes)),
  )
  if (Buffer.compare(whole, bytes) !== 0)
    yield `the file: ${String(bytes.length)} bytes went in, ${String(whole.length)} came back`
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let index = 0
  for (const item of items) {
    if (index++ === count) return
    yield item
  }
}
