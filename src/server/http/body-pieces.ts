import type { Context } from 'hono'
import { Readable } from 'node:stream'

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
