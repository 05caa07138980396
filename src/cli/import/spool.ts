import { randomUUID } from 'node:crypto'
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Input } from '../records/input.js'

/** The bytes of an input, readable more than once. */
export interface Spooled {
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
