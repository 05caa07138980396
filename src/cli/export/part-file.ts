import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'

import { PlanspanError } from '../../error.js'
import { cursorOf, recordLines } from './record-lines.js'

/** A file that has its name once it is whole; until then it is `NAME.part`. */
export interface PartFile {
  /** Whether nobody takes more. */
  isClosed(): boolean
  write(text: Uint8Array): Promise<void>
  /** Gives the file its name. */
  finish(): Promise<void>
  /** Leaves the part as it is, unless it is empty. */
  close(): Promise<void>
  /** Removes the part. */
  discard(): Promise<void>
}

/**
 * Begins a file; or goes on with its part behind the line of a cursor, without what was written behind that. Throws
 * `usage` where there is a file already, where a part is in the way, or none with that cursor.
 */
export async function openPartFile(path: string, resume?: string): Promise<PartFile> {
  const part = `${path}.part`
  if (existsSync(path)) throw new PlanspanError('usage', `${path} exists. Name another file, or remove it.`)
  const file = resume === undefined ? await begin(part) : await goOn(part, resume)
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

async function begin(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'ax')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(part, error)
    throw new PlanspanError(
      'usage',
      `${part} is of an export that broke off. Go on with it by --resume and the "cursor" of its last line if it is of records, or remove it.`,
    )
  }
}

async function goOn(part: string, cursor: string): Promise<FileHandle> {
  if (!existsSync(part)) {
    throw new PlanspanError('usage', `There is no ${part} to go on with. Leave --resume out to begin a new export.`)
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

/** Where the line of a cursor ends, in bytes. */
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
