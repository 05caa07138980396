import type { Context } from 'hono'

/**
 * Answers with pieces of a media type as they come, as fast as they are taken. The first one is waited for: until then
 * a failure sets the status. A later failure breaks off the response, which then has no proper end.
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
  // Of the answer to HEAD nobody takes the body.
  if (c.req.method === 'HEAD') await body.cancel()
  return c.body(body, 200, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
}
