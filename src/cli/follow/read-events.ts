import { appendFile, mkdir, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

import { shownUrl } from '../../base/shown-url.js'
import { PlanspanError } from '../../error.js'
import { SourceAway } from './source.js'

/** A server-sent event. */
interface Frame {
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
function eventIdOf(data: string): string | undefined {
  try {
    const id = (JSON.parse(data) as { event_id?: unknown } | null)?.event_id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** The events of a stream that were read so far, in a file, because a stream does not repeat them. */
export class KeptEvents {
  readonly path: string
  readonly #ids = new Set<string>()
  #lastId: string | undefined

  private constructor(path: string) {
    this.path = path
  }

  /** Reads the events that were kept before. An incomplete event at the end, left by a killed process, is cut off. */
  static async open(path: string): Promise<KeptEvents> {
    await mkdir(dirname(path), { recursive: true })
    await appendFile(path, '', { mode: 0o600 })
    const bytes = await readFile(path)
    const end = bytes.lastIndexOf('\r\n\r\n')
    const whole = bytes.subarray(0, end === -1 ? 0 : end + 4)
    if (whole.length < bytes.length) await truncate(path, whole.length)
    const kept = new KeptEvents(path)
    for (const frame of new FrameReader().push(whole.toString())) kept.#know(frame)
    return kept
  }

  /** The id of the last event with an id. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** Keeps an event, unless it is kept already. */
  async keep(frame: Frame): Promise<void> {
    if (frame.id !== undefined && this.#ids.has(frame.id)) return
    await appendFile(this.path, frame.text)
    this.#know(frame)
  }

  #know({ id }: Frame): void {
    if (id === undefined) return
    this.#ids.add(id)
    this.#lastId = id
  }
}

export interface EventStreamOptions {
  readonly url: string
  /** ManusX requires a POST with the last event's id in its body. */
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
}

const NO_CONTENT = 204

/**
 * Yields the events of a stream after the event with an id, until the stream ends; returns true if the server reports
 * that it is complete. Throws `SourceAway` if the stream cannot be read or breaks off.
 */
export async function* eventStream(
  { url, method, headers }: EventStreamOptions,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Frame, boolean> {
  const accept = { accept: 'text/event-stream', ...headers }
  // Without a message, ManusX starts nothing and only sends the events of its current task.
  const body = { message: '', timestamp: Math.floor(Date.now() / 1000), event_id: lastId ?? null }
  const request =
    method === 'POST'
      ? { method, headers: { 'content-type': 'application/json', ...accept }, body: JSON.stringify(body) }
      : { headers: { ...accept, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) } }
  try {
    const response = await fetch(url, { ...request, signal })
    if (response.status === NO_CONTENT) return true
    if (!response.ok || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw away(url, `it returns ${String(response.status)} and no event stream`)
    }
    const reader = new FrameReader()
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      for (const frame of reader.push(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        if (isRefusal(frame))
          throw away(url, `it reports an error: ${frame.text.replaceAll(/\s+/g, ' ').slice(0, 500)}`)
        yield frame
      }
    }
    return false
  } catch (error) {
    if (error instanceof SourceAway) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw away(url, cause instanceof Error ? ('code' in cause && String(cause.code)) || cause.message : String(cause))
  }
}

/** ManusX rejects a request with an event that does not belong to the session. */
const isRefusal = ({ event, id }: Frame): boolean => event === 'error' && id !== undefined && !/^\d+-\d+$/.test(id)

const away = (url: string, reason: string): SourceAway =>
  new SourceAway(new PlanspanError('receiver_unreachable', `The stream of ${shownUrl(url)} cannot be read: ${reason}.`))
