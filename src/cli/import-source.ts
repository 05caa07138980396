import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Input } from './read-input.js'

/** Bytes that can be read more than once. */
export interface ImportSource {
  chunks(): AsyncIterable<Uint8Array>
  /** Takes away what was kept of them. */
  remove(): Promise<void>
}

/** A file as it is; what comes through a pipe is kept in a temporary file. Throws as reading the input does. */
export async function openSource(input: Input): Promise<ImportSource> {
  const isPipe = (await input.size()) === 0
  if (!isPipe) return { chunks: () => input.chunks(), remove: async () => {} }
  const directory = await mkdtemp(join(tmpdir(), 'planspan-import-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const file = join(directory, 'records')
  try {
    await pipeline(input.chunks(), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return { chunks: () => createReadStream(file), remove }
}
