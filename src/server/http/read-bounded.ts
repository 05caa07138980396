import { PlanspanError } from '../../error.js'
import type { LeastRate } from './least-rate.js'
import type { Pieces } from './body-pieces.js'
import { noRoom, type Holding } from './request-memory.js'

export type BoundedResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'too_slow' | 'broken_off' }

export interface Bounds {
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
