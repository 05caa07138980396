import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../shown-url.js'
import { SourceAway } from './source.js'
import { FrameReader, type Frame } from './frame-reader.js'

export interface EventStreamOptions {
  readonly url: string
  /** ManusX takes a POST, which names the last event in its body. */
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
}

const NO_CONTENT = 204

/**
 * The events of a stream after the one with an id, until it ends; returns true if the server says that no more will
 * come. Throws `SourceAway` where it cannot be read, or breaks off.
 */
export async function* eventStream(
  { url, method, headers }: EventStreamOptions,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Frame, boolean> {
  const accept = { accept: 'text/event-stream', ...headers }
  // Without a message ManusX starts nothing: it sends what its task, if any, has to tell.
  const asked = { message: '', timestamp: Math.floor(Date.now() / 1000), event_id: lastId ?? null }
  const request =
    method === 'POST'
      ? { method, headers: { 'content-type': 'application/json', ...accept }, body: JSON.stringify(asked) }
      : { headers: { ...accept, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) } }
  try {
    const response = await fetch(url, { ...request, signal })
    if (response.status === NO_CONTENT) return true
    if (!response.ok || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw away(url, `it answers with ${String(response.status)} and no stream of events`)
    }
    const reader = new FrameReader()
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      for (const frame of reader.push(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        if (isRefusal(frame)) throw away(url, `it tells an error: ${frame.text.replaceAll(/\s+/g, ' ').slice(0, 500)}`)
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

/** ManusX answers a request that it cannot take with an event that is none of the session's. */
const isRefusal = ({ event, id }: Frame): boolean => event === 'error' && id !== undefined && !/^\d+-\d+$/.test(id)

const away = (url: string, reason: string): SourceAway =>
  new SourceAway(new PlanspanError('receiver_unreachable', `The stream of ${shownUrl(url)} cannot be read: ${reason}.`))
