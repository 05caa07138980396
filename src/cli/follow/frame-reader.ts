/** A server-sent event. */
export interface Frame {
  /** Its event and data lines only, as ManusX writes them. */
  readonly text: string
  /** Identifies the event: its `event_id`, else its `id`. */
  readonly id: string | undefined
  /** The `id` with which the stream is continued. */
  readonly streamId: string | undefined
  readonly event: string
}

/** Cuts a stream of server-sent events into frames; comments and frames without data are dropped. */
export class FrameReader {
  #rest = ''
  #event = ''
  #data: string[] = []
  #streamId: string | undefined;

  /** Returns the frames that end in a chunk. */
  *push(piece: string): Generator<Frame> {
    // A carriage return at the end may be the first half of a line end.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#field(line)
      else if (this.#data.length > 0) yield this.#frame()
      else this.#event = ''
    }
  }

  #field(line: string): void {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'id') this.#streamId = value
  }

  #frame(): Frame {
    const data = this.#data.join('\n')
    const event = this.#event
    const lines = [...(event === '' ? [] : [`event: ${event}`]), ...this.#data.map((part) => `data: ${part}`), '', '']
    this.#data = []
    this.#event = ''
    const streamId = this.#streamId
    return { text: lines.join('\r\n'), event, streamId, id: eventIdOf(data) ?? streamId }
  }
}

/** Returns ManusX's id of an event, from its data. */
export function eventIdOf(data: string): string | undefined {
  try {
    const id = (JSON.parse(data) as { event_id?: unknown } | null)?.event_id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
