import type { Admission } from '../../access/index.js'

/**
 * Forwards the body of a response while its token is valid. Afterwards a live stream ends, and any other body is
 * aborted, so that its beginning is not mistaken for the whole body.
 */
export function heldBody(
  body: ReadableStream<Uint8Array>,
  admission: Admission,
  { isLive }: { readonly isLive: boolean },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isOver = false
  const over = (): void => {
    isOver = true
    admission.release()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        admission.onEnd = () => {
          over()
          void reader.cancel()
          if (isLive) controller.close()
          else controller.error(new Error('The token has ended.'))
        }
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (isOver) return
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          throw error
        }
      },
      async cancel(reason) {
        over()
        await reader.cancel(reason)
      },
    },
    // Produces nothing before the client reads.
    { highWaterMark: 0 },
  )
}
