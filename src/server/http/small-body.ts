import type { Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { LeastRate } from './least-rate.js'
import { addressOf, peerOf } from './peer.js'
import { piecesOf } from './body-pieces.js'
import { readBounded } from './read-bounded.js'
import { Room } from './request-memory.js'

/** The maximum size of a small body, bytes; far more than any id or query needs. */
const MAX_BODY_BYTES = 1 << 20

/** The reader of small bodies, which are few, and small compared with bodies of spans. */
const ROOM = new Room({ total: 64 << 20 })
const RATE = new LeastRate()

/** Reads the small body of a request; undefined if it is too large, too slow or incomplete. */
export async function readSmallBody(c: Context): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const holding = ROOM.open(addressOf(peerOf(c)))
  try {
    const read = await readBounded(piecesOf(c), { maxBytes: MAX_BODY_BYTES, holding, rate: RATE })
    return read.ok ? new Uint8Array(read.body) : undefined
  } finally {
    holding.release()
  }
}

/** Reads the JSON of a small request. Throws `usage` if the body is not JSON. */
export async function readSmallJson(c: Context, example: string): Promise<unknown> {
  try {
    const body = await readSmallBody(c)
    if (body) return JSON.parse(new TextDecoder().decode(body))
  } catch (error) {
    if (error instanceof PlanspanError) throw error
    // Reported below.
  }
  throw new PlanspanError('usage', `The body is no JSON such as ${example}.`)
}
