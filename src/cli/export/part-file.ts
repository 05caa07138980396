import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import process from 'node:process'

import { PlanspanError } from '../../error.js'

/** A file that is named `NAME.part` until it is complete. */
export interface PartFile {
  /** Whether the reader has closed it. */
  isClosed(): boolean
  write(text: Uint8Array): Promise<void>
  /** Renames the complete file to its final name. */
  finish(): Promise<void>
  /** Closes the part and keeps it, unless it is empty. */
  close(): Promise<void>
  /** Removes the part. */
  discard(): Promise<void>
}

/**
 * Creates a file, or continues its part after the line of a cursor, discarding what follows that line. Throws `usage`
 * if the file exists, if a part exists already, or if no part has the cursor.
 */
export async function openPartFile(path: string, resume?: string): Promise<PartFile> {
  const part = `${path}.part`
  if (existsSync(path)) throw new PlanspanError('usage', `${path} exists. Name another file, or remove it.`)
  const file = resume === undefined ? await create(part) : await continueAfter(part, resume)
  return {
    isClosed: () => false,
    write: async (text) => void (await file.appendFile(text)),
    async finish() {
      await file.sync()
      await rename(part, path)
      await file.close()
    },
    async close() {
      const { size } = await file.stat()
      await file.close()
      if (size === 0) await rm(part)
    },
    async discard() {
      await file.close()
      await rm(part, { force: true })
    },
  }
}

async function create(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'ax')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(part, error)
    throw new PlanspanError(
      'usage',
      `${part} is left from an incomplete export. Remove it, or, if it contains records, continue with --resume and the "cursor" of its last line.`,
    )
  }
}

async function continueAfter(part: string, cursor: string): Promise<FileHandle> {
  if (!existsSync(part)) {
    throw new PlanspanError('usage', `There is no ${part} to continue. Omit --resume to start a new export.`)
  }
  const end = await endOfLine(part, cursor)
  if (end === undefined) {
    throw new PlanspanError('usage', `${part} has no line with the cursor ${JSON.stringify(cursor)}.`)
  }
  const file = await open(part, 'a').catch((error: unknown) => {
    throw unwritable(part, error)
  })
  await file.truncate(end)
  return file
}

/** Returns the end of a cursor's line, in bytes. */
async function endOfLine(part: string, cursor: string): Promise<number | undefined> {
  let at = 0
  for await (const { text } of recordLines(createReadStream(part))) {
    for (let from = 0, to = text.indexOf('\n') + 1; to > 0; from = to, to = text.indexOf('\n', from) + 1) {
      if (cursorOf(text.toString('latin1', from, Math.min(to, from + cursor.length + 20))) === cursor) return at + to
    }
    at += text.length
  }
  return undefined
}

const unwritable = (path: string, error: unknown): PlanspanError =>
  new PlanspanError('usage', `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)

/** Standard output, with backpressure; the reader may close it early. */
export const STANDARD_OUTPUT: PartFile = {
  isClosed: () => process.stdout.destroyed,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => {})
  },
  finish: async () => {},
  close: async () => {},
  discard: async () => {},
}

/** Complete lines of an export. */
interface RecordLines {
  /** The lines, each with its line break. */
  readonly text: Buffer
  /** The number of lines. */
  readonly count: number
  /** The number of lines with a problem instead of a record. */
  readonly problems: number
  /** The cursor of the last line. */
  readonly cursor: string
}

const NEWLINE = 0x0a
const CURSOR = /^\{"cursor":"([\w-]+)"/
/** Longer than any line up to its "problem", since the receiver limits the length of plan ids. */
const HEAD_BYTES = 8_192
const PROBLEM = /^\{"cursor":"[\w-]+","planId":"(?:[^"\\]|\\.)*","traceId":"[^"]*","problem":/

/** Cuts chunks of an export into complete lines; an incomplete last line is dropped. */
export async function* recordLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<RecordLines, void, undefined> {
  let rest: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield describeLines(Buffer.concat([...rest, piece.subarray(0, end)]))
      rest = []
    }
    if (end < piece.length) rest.push(piece.subarray(end))
  }
}

function describeLines(text: Buffer): RecordLines {
  let [count, problems, cursor] = [0, 0, '']
  for (let from = 0; from < text.length; from = text.indexOf(NEWLINE, from) + 1) {
    const head = text.toString('utf8', from, Math.min(text.length, from + HEAD_BYTES))
    count++
    if (PROBLEM.test(head)) problems++
    cursor = cursorOf(head) ?? cursor
  }
  return { text, count, problems, cursor }
}

/** Returns the cursor at the start of a line; undefined for other lines. */
const cursorOf = (line: string): string | undefined => CURSOR.exec(line)?.[1]
