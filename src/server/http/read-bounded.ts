import type { Context } from 'hono'
import { Readable } from 'node:stream'

import { PlanspanError } from '../../error.js'
import type { LeastRate } from './least-rate.js'
import { noRoom, type Holding } from './request-memory.js'

/** A request's body as it arrives. */
export interface Pieces {
  /**
   * Passes on each piece as it arrives. Resolves at the end of the body or when stopped. Rejects if the client
   * disconnects, and with the errors of `take`.
   */
  each(take: (piece: Uint8Array) => void): Promise<void>
  /** Stops reading. */
  stop(): void
}

/** Returns the body of a request, directly from its connection if it has one, without streams of the Fetch API. */
export function piecesOf(c: Context): Pieces {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }
  return incoming instanceof Readable ? piecesOfStream(incoming) : piecesOfRequest(c.req.raw)
}

/** Returns the body of a request of the Fetch API. */
function piecesOfRequest({ body }: Request): Pieces {
  const reader = body?.getReader()
  return {
    async each(take) {
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) take(read.value)
    },
    // Ends a pending read as well.
    stop: () => void reader?.cancel().catch(() => {}),
  }
}

/** Returns the data of a Node.js stream. The stream stays open when reading stops. */
export function piecesOfStream(stream: Readable): Pieces {
  let stop = (): void => {}
  return {
    each: (take) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          stream.off('data', onData).off('end', onEnd).off('close', onClose).pause()
          settle()
        }
        const onData = (piece: Uint8Array): void => {
          try {
            take(piece)
          } catch (error) {
            end(() => reject(error))
          }
        }
        const onEnd = (): void => end(resolve)
        const onClose = (): void => end(() => reject(new Error('The stream was closed before its end.')))
        stop = onEnd
        if (stream.readableEnded) return onEnd()
        if (stream.destroyed) return onClose()
        stream.on('data', onData).once('end', onEnd).once('close', onClose)
      }),
    stop: () => stop(),
  }
}

type BoundedResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'too_slow' | 'broken_off' }

interface Bounds {
  readonly maxBytes: number
  /** The memory from which received bytes are reserved. */
  readonly holding: Holding
  readonly rate: LeastRate
}

/** The number of pieces that are merged, because each piece has an overhead. */
const LOOSE_PIECES = 256

/** Reads a request's body, unless it is too large or too slow. Throws `store_busy` if it does not fit into memory. */
export async function readBounded(pieces: Pieces, { maxBytes, holding, rate }: Bounds): Promise<BoundedResult> {
  const read: Uint8Array[] = []
  let loose = 0
  let length = 0
  let cut: 'too_large' | 'too_slow' | 'no_room' | undefined
  const end = (reason: typeof cut): void => {
    cut ??= reason
    pieces.stop()
  }
  const unwatch = rate.watch(
    () => length,
    () => end('too_slow'),
  )
  holding.arrives(() => end('no_room'))
  try {
    await pieces.each((piece) => {
      if (cut) return
      length += piece.length
      if (length > maxBytes) return end('too_large')
      holding.take(piece.length)
      read.push(piece)
      if (++loose < LOOSE_PIECES) return
      read.push(Buffer.concat(read.splice(-loose)))
      loose = 0
    })
  } catch (error) {
    if (error instanceof PlanspanError) throw error
    // A body can't be read after its client has disconnected.
    return { ok: false, reason: 'broken_off' }
  } finally {
    unwatch()
    holding.hasArrived()
  }
  if (cut === 'no_room') throw noRoom()
  if (cut) return { ok: false, reason: cut }
  return { ok: true, body: read.length === 1 && read[0] ? read[0] : Buffer.concat(read) }
}
