import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'
import { SourceAway } from './source.js'
import { FrameReader, type Frame } from './frame-reader.js'

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
