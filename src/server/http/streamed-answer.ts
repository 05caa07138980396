import type { Context } from 'hono'

/**
 * Responds with pieces of a media type as they are produced and read. Waits for the first piece, so that an earlier
 * failure determines the status. A later failure aborts the response.
 */
export async function streamedAnswer(
  c: Context,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  type: string,
): Promise<Response> {
  let first: IteratorResult<Uint8Array, void> | undefined = await pieces.next()
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    const { done, value } = first ?? (await pieces.next())
    first = undefined
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const cancel = async (): Promise<void> => void (await pieces.return())
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 })
  // A response to HEAD has no body.
  if (c.req.method === 'HEAD') await body.cancel()
  return c.body(body, 200, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
}
