import { type Client, ClientError, type PlanView, type ViewQuery } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import type { untilStopped } from '../stop-signal.js'
import { openPartFile, type PartFile, STANDARD_OUTPUT } from './part-file.js'

export interface ParquetExport {
  readonly view: string
  /** A file, or - for standard output. */
  readonly out: string
  readonly untilEnd: ReturnType<typeof untilStopped>
}

/**
 * Writes the rows of some plans in a view as a Parquet file and returns its size in bytes. An incomplete file is
 * removed, since an export of a view cannot be continued.
 */
export async function exportParquet(client: Client, query: ViewQuery, asked: ParquetExport): Promise<number> {
  const { view, out, untilEnd } = asked
  const over = new AbortController()
  const target = out === '-' ? STANDARD_OUTPUT : await openPartFile(out)
  try {
    // The server checks the view's name.
    const pieces = await untilEnd(client.view(view as PlanView, query, { signal: over.signal }))
    return await untilEnd(writeAll(pieces, target))
  } catch (cause) {
    await target.discard()
    if (out === '-' || !(cause instanceof ClientError) || cause.code !== 'broken_off') throw cause
    throw new PlanspanError('receiver_unreachable', `${cause.message} Nothing was written to ${out}.`, { cause })
  } finally {
    over.abort()
  }
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, target: PartFile): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    if (target.isClosed()) break
    await target.write(piece)
    bytes += piece.length
  }
  await target.finish()
  return bytes
}
