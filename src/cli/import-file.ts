import type { PlanspanError } from '../error.js'
import type { EncodeOptions } from '../mapping/index.js'
import type { SpanSender } from '../tracing/index.js'
import { Progress } from './progress.js'
import type { Input } from './read-input.js'
import { readRecords } from './read-records.js'
import { SpanBatch } from './span-batch.js'

/** What became of a file's records. */
export interface ImportResult {
  readonly records: number
  readonly spans: number
  readonly planIds: ReadonlySet<string>
  /** Records that are none, with the line where each begins. */
  readonly bad: readonly { readonly error: PlanspanError; readonly line: number }[]
  /** Spans that the receiver refused, and why. */
  readonly rejected: number
  readonly reasons: readonly string[]
}

export interface ImportFileOptions {
  readonly sender: SpanSender
  readonly options: EncodeOptions
  /** Go on after a bad record; else the records before it are sent, and those behind it are not. */
  readonly keepGoing: boolean
}

/** Sends a file's records as spans; resolves when the receiver has stored them. */
export async function importFile(
  input: Input,
  { sender, options, keepGoing }: ImportFileOptions,
): Promise<ImportResult> {
  const batch = new SpanBatch(sender)
  const progress = new Progress(input.name, await input.size())
  const planIds = new Set<string>()
  const bad: { error: PlanspanError; line: number }[] = []
  let records = 0
  let spans = 0
  let read = 0
  try {
    for await (const result of readRecords(input.chunks(), options)) {
      if ('error' in result) {
        bad.push(result)
        if (!keepGoing) break
        continue
      }
      const { record } = result
      records++
      spans += record.spans.length
      read += Buffer.byteLength(record.text)
      planIds.add(record.planId)
      await batch.add(record.spans)
      progress.update(read, `${String(records)} records`)
    }
    const { rejected, reasons } = await batch.finish()
    return { records, spans, planIds, bad, rejected, reasons }
  } finally {
    progress.end()
  }
}
