/** A frame of a stream of server-sent events. */
export interface Frame {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Record<string, unknown>
}

/** The types of events, with the status if they have one. */
export const typesOf = (frames: readonly Frame[]): string[] =>
  frames.map(({ event, data }) => [event, data['status'] ?? ''].join(' ').trim())

const TIMEOUT_MS = 20_000

/** Reads a stream of server-sent events as they arrive. */
export class EventSourceReader {
  /** The events so far. */
  readonly frames: Frame[] = []
  readonly comments: string[] = []
  isOver = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #rest = ''

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader()
  }

  get types(): string[] {
    return typesOf(this.frames)
  }

  get lastId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id
  }

  /** Reads on until the events so far match a condition; fails when the stream ends first. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (!(await this.#readMore())) {
        if (holds()) return
        throw new Error(`The stream ended after ${JSON.stringify(this.types)}.`)
      }
    }
  }

  /** Reads to the end of the stream. */
  async toEnd(): Promise<void> {
    while (await this.#readMore());
  }

  /** Reads everything that was known when the stream started. */
  async untilUpToDate(): Promise<void> {
    while (!this.comments.includes(': up to date') && (await this.#readMore()));
  }

  /** Breaks the connection. */
  cancel(): Promise<void> {
    return this.#reader.cancel()
  }

  async #readMore(): Promise<boolean> {
    const { done, value } = await within(this.#reader.read(), () => `after ${JSON.stringify(this.types)}`)
    if (done) this.isOver = true
    this.#rest += Buffer.from(value ?? []).toString()
    const parts = this.#rest.split('\r\n\r\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#take(part)
    return !done
  }

  #take(part: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]?.trimEnd()
    const data = field('data')
    if (data === undefined) this.comments.push(part)
    else this.frames.push({ id: field('id'), event: field('event'), data: JSON.parse(data) as Frame['data'] })
  }
}

async function within<T>(work: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came ${what()}.`)), TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
