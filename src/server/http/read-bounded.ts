import { PlanspanError } from '../../error.js'
import type { LeastRate } from './least-rate.js'
import type { Pieces } from './body-pieces.js'
import { noRoom, type Holding } from './request-memory.js'

export type BoundedResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'too_slow' | 'broken_off' }

export interface Bounds {
  readonly maxBytes: number
  /** What room is taken from, for what has arrived. */
  readonly holding: Holding
  readonly rate: LeastRate
}

/** So many pieces are made one, since each takes memory beside its bytes. */
const LOOSE_PIECES = 256

/** Reads a request's body, unless it is too large or too slow. Throws `store_busy` where there is no room for it. */
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
    // A body can't be read when its sender has gone.
    return { ok: false, reason: 'broken_off' }
  } finally {
    unwatch()
    holding.hasArrived()
  }
  if (cut === 'no_room') throw noRoom()
  if (cut) return { ok: false, reason: cut }
  return { ok: true, body: read.length === 1 && read[0] ? read[0] : Buffer.concat(read) }
}
