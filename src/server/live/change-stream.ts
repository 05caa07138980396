export interface ChangeStreamOptions {
  /** Returns the first text to send. */
  readonly first: string
  /** Calls back when more may be available, until the returned function is called. */
  readonly watch: (onChange: () => void) => () => void
  /** Returns the next text to send: '' if nothing is available yet, undefined at the end. */
  readonly next: () => Promise<string | undefined> | string | undefined
  /** Milliseconds without a change after which a comment keeps the connection alive. @default 15_000 */
  readonly keepAliveMs?: number
}

const KEEP_ALIVE = ': still here\r\n\r\n'

/** Streams changes as server-sent events. Watches and produces nothing before the client reads. */
export function changeStream({
  first,
  watch,
  next,
  keepAliveMs = 15_000,
}: ChangeStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  let wake = (): void => {}
  let hasChanged = false
  let isCancelled = false

  const onChange = (): void => {
    hasChanged = true
    wake()
  }

  /** Resolves to false when nothing has changed for some time. */
  const changed = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (hasChanged) return resolve(true)
      const timer = setTimeout(() => resolve(false), keepAliveMs)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  const nextText = async (): Promise<string | undefined> => {
    for (;;) {
      if (isCancelled) return undefined
      hasChanged = false
      const text = await next()
      if (text !== '') return text
      if (!(await changed())) return KEEP_ALIVE
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text: string | undefined = first
        if (stop) text = await nextText()
        else stop = watch(onChange)
        if (isCancelled) return
        if (text !== undefined) return controller.enqueue(encoder.encode(text))
        stop()
        controller.close()
      },
      cancel() {
        isCancelled = true
        stop?.()
        wake()
      },
    },
    { highWaterMark: 0 },
  )
}
