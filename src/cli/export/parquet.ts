import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import process from 'node:process'

import { type Client, ClientError, type PlanView, type ViewQuery } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import type { untilStopped } from '../stop-signal.js'

export interface ParquetExport {
  readonly view: string
  /** A file, or - for standard output. */
  readonly out: string
  readonly untilEnd: ReturnType<typeof untilStopped>
}

/**
 * Writes the rows that a view has of some plans as a Parquet file and returns its bytes. A file has its name once it is
 * whole; of one that breaks off nothing is kept, since nothing can go on behind it.
 */
export async function exportParquet(client: Client, query: ViewQuery, asked: ParquetExport): Promise<number> {
  const { view, out, untilEnd } = asked
  const over = new AbortController()
  try {
    // The server knows which views there are.
    const pieces = await untilEnd(client.view(view as PlanView, query, { signal: over.signal }))
    return await (out === '-' ? toStandardOutput(pieces) : toFile(pieces, out, untilEnd))
  } finally {
    over.abort()
  }
}

async function toStandardOutput(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    if (process.stdout.destroyed) break
    bytes += piece.length
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => {})
  }
  return bytes
}

async function toFile(
  pieces: AsyncIterable<Uint8Array>,
  path: string,
  untilEnd: ReturnType<typeof untilStopped>,
): Promise<number> {
  const part = `${path}.part`
  const file = await open(part, 'wx').catch((error: unknown) => {
    const { message } = error as Error
    throw new PlanspanError('usage', `${part} cannot be written (${message}). Name another file, or remove it.`)
  })
  let bytes = 0
  const write = async (): Promise<void> => {
    for await (const piece of pieces) {
      await file.appendFile(piece)
      bytes += piece.length
    }
    await file.sync()
  }
  try {
    await untilEnd(write())
    await rename(part, path)
    return bytes
  } catch (cause) {
    await rm(part, { force: true })
    if (!(cause instanceof ClientError)) throw cause
    throw new PlanspanError('receiver_unreachable', `${cause.message} Nothing was written to ${path}.`, { cause })
  } finally {
    await file.close()
  }
}
