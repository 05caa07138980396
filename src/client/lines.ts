export interface PiecesOptions {
  /** How long nothing may come, milliseconds. @default however long */
  readonly idleMs?: number
  readonly signal?: AbortSignal | undefined
}

/** The pieces of a body as they come. What is not read to its end is cancelled. */
export async function* pieces(
  body: ReadableStream<Uint8Array> | null,
  { idleMs, signal }: PiecesOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return
  // Not every browser can iterate over a stream.
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // A server in the same process gives bodies that know of no signal.
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

/**
 * The lines of a text in UTF-8, which end in LF, CR or both. What comes after the last line's end is returned, and is
 * empty at a proper end.
 */
export async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, string, undefined> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const piece of body) {
    const text = decoder.decode(piece, { stream: true })
    // A long line comes in many pieces, and is joined once.
    if (!/[\r\n]/.test(text) && !rest.at(-1)?.endsWith('\r')) {
      rest.push(text)
      continue
    }
    // A CR at the end may be half of a line's end.
    const parts = [...rest, text].join('').split(/\r\n|\n|\r(?!$)/)
    rest = [parts.pop() ?? '']
    yield* parts
  }
  return rest.join('')
}

/** A promise's value, unless it takes too long. */
async function inTime<T>(promise: Promise<T>, limitMs: number | undefined): Promise<T> {
  if (limitMs === undefined) return promise
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${String(limitMs)} ms`)), limitMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
