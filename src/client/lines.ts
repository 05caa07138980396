export interface PiecesOptions {
  /** The longest silence, milliseconds. @default unlimited */
  readonly idleMs?: number
  readonly signal?: AbortSignal | undefined
}

/** Yields the chunks of a body. A body that is not read to its end is canceled. */
export async function* pieces(
  body: ReadableStream<Uint8Array> | null,
  { idleMs, signal }: PiecesOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return
  // Not every browser supports iterating over a stream.
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // The bodies of a server in the same process do not know the signal.
  signal?.addEventListener('abort', cancel)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await inTime(reader.read(), idleMs)
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Yields the lines of UTF-8 text, which end in LF, CR or both. Returns the incomplete last line, usually empty. */
export async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, string, undefined> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const piece of body) {
    const text = decoder.decode(piece, { stream: true })
    // A long line arrives in many chunks, which are joined once.
    if (!/[\r\n]/.test(text) && !rest.at(-1)?.endsWith('\r')) {
      rest.push(text)
      continue
    }
    // A CR at the end may be the first half of a line end.
    const parts = [...rest, text].join('').split(/\r\n|\n|\r(?!$)/)
    rest = [parts.pop() ?? '']
    yield* parts
  }
  return rest.join('')
}

/** Returns a promise's value, or fails after a time limit. */
async function inTime<T>(promise: Promise<T>, limitMs: number | undefined): Promise<T> {
  if (limitMs === undefined) return promise
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data for ${String(limitMs)} ms`)), limitMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
