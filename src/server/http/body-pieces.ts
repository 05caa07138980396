import type { Context } from 'hono'
import { Readable } from 'node:stream'

/** A request's body as it arrives. */
export interface Pieces {
  /**
   * Passes each piece on as it comes; resolves at the end, or when it is stopped. Rejects where the sender has gone,
   * and with what `take` throws.
   */
  each(take: (piece: Uint8Array) => void): Promise<void>
  /** Reads no more. */
  stop(): void
}

/** Returns the body of a request: from its connection, without the streams of the Fetch API, where it has one. */
export function piecesOf(c: Context): Pieces {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }
  return incoming instanceof Readable ? piecesOfStream(incoming) : piecesOfRequest(c.req.raw)
}

/** The body of a request of the Fetch API. */
function piecesOfRequest({ body }: Request): Pieces {
  const reader = body?.getReader()
  return {
    async each(take) {
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) take(read.value)
    },
    // Ends the read that waits, too.
    stop: () => void reader?.cancel().catch(() => {}),
  }
}

/** Reads the chunks of a Node stream, which stays open when the reader stops. */
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
