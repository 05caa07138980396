import { randomUUID } from 'node:crypto'
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PlanspanError } from '../../error.js'
import {
  checkTimeZone,
  emptyFile,
  readDocument,
  type BadRecord,
  type EncodeOptions,
  type FoundRecord,
} from '../../mapping/index.js'
import type { SpanSender } from '../../sender/index.js'
import { Progress } from '../output/progress-bar.js'
import type { Input } from '../records/input.js'
import { findRecords, readRecords } from '../records/read-records.js'
import { SpanBatch } from '../records/span-batch.js'

/** The outcome of importing a file. */
export interface ImportResult {
  readonly records: number
  readonly spans: number
  readonly planIds: ReadonlySet<string>
  /** The invalid records, with the line where each begins. */
  readonly bad: readonly BadRecord[]
  /** The number of spans that the receiver rejected, and its reasons. */
  readonly rejected: number
  readonly reasons: readonly string[]
}

export interface ImportFileOptions {
  readonly sender: SpanSender
  readonly options: EncodeOptions
  /** Whether to send the valid records of a file with invalid ones, instead of nothing. */
  readonly keepGoing: boolean
}

/** Sends a file's records as spans; resolves when the receiver has stored them. */
export async function importFile(input: Input, importOptions: ImportFileOptions): Promise<ImportResult> {
  if (importOptions.keepGoing) return sendRecords(input, input.chunks(), importOptions)
  const spooled = await spool(input)
  try {
    const bad = await check(input, spooled, importOptions.options)
    if (bad) return { records: 0, spans: 0, planIds: new Set(), bad: [bad], rejected: 0, reasons: [] }
    return await sendRecords(input, spooled.chunks(), importOptions)
  } finally {
    await spooled.close()
  }
}

async function check(input: Input, spooled: Spooled, options: EncodeOptions): Promise<BadRecord | undefined> {
  const progress = new Progress(`checking ${input.name}`, await input.size())
  let read = 0
  try {
    return await firstBadRecord(spooled.chunks(), options, ({ record }) => {
      read += Buffer.byteLength(record.text)
      progress.update(read, '')
    })
  } finally {
    progress.end()
  }
}

/**
 * Finds the first invalid record; `onRead` receives the valid ones before it. Throws `usage` for an unknown time zone.
 */
async function firstBadRecord(
  chunks: AsyncIterable<Uint8Array>,
  { format, timeZone = 'UTC' }: EncodeOptions,
  onRead: (found: FoundRecord) => void,
): Promise<BadRecord | undefined> {
  checkTimeZone(timeZone)
  let isEmpty = true
  for await (const found of findRecords(chunks, format)) {
    isEmpty = false
    if ('error' in found) return found
    const error = dialectError(found, timeZone)
    if (error) return { error, line: found.line }
    onRead(found)
  }
  return isEmpty ? { error: emptyFile(), line: 1 } : undefined
}

/** Returns the error of a record that its dialect cannot encode. The slow rest of encoding never fails after this. */
function dialectError(found: FoundRecord, timeZone: string): PlanspanError | undefined {
  try {
    readDocument(found, { timeZone, digest: '', ordinal: 0 })
    return undefined
  } catch (error) {
    if (error instanceof PlanspanError) return error
    throw error
  }
}

async function sendRecords(
  input: Input,
  chunks: AsyncIterable<Uint8Array>,
  { sender, options, keepGoing }: ImportFileOptions,
): Promise<ImportResult> {
  const batch = new SpanBatch(sender)
  const progress = new Progress(input.name, await input.size())
  const planIds = new Set<string>()
  const bad: BadRecord[] = []
  let records = 0
  let spans = 0
  let read = 0
  try {
    for await (const result of readRecords(chunks, options)) {
      if ('error' in result) {
        bad.push(result)
        // The check found no invalid record, so the file has changed in the meantime.
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

/** The bytes of an input, readable more than once. */
interface Spooled {
  chunks(): AsyncIterable<Uint8Array>
  /** Removes the copy, if there is one. */
  close(): Promise<void>
}

/** Makes an input readable more than once: a pipe is copied to a temporary file. Throws the errors of the input. */
export async function spool(input: Input): Promise<Spooled> {
  const isPipe = (await input.size()) === 0
  if (!isPipe) return { chunks: () => input.chunks(), close: async () => {} }
  const path = join(tmpdir(), `planspan-import-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  // Unlinked while open, so that nothing is left behind however the process ends.
  await rm(path)
  try {
    await writeFile(file, input.chunks())
  } catch (error) {
    await file.close()
    throw error
  }
  return { chunks: () => chunksOf(file), close: () => file.close() }
}

const CHUNK_BYTES = 65_536

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  let position = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
