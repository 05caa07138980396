import type { Admission } from '../../access/index.js'

/**
 * The body of an answer for as long as its request is let in. One that goes on until somebody ends it ends, others
 * break off, so that no half of them is taken for all.
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
    // Nothing is made before the client reads.
    { highWaterMark: 0 },
  )
}
