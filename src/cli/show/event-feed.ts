import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
// Not imported from the index, which would load the whole server.
import { RECORD_HEADERS } from '../../semconv/index.js'

/** An item of the feed of a plan: an event, or the news that its spans have changed. */
export type FeedItem =
  | { readonly kind: 'event'; readonly event: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'changed' }

export interface EventFeedOptions {
  /**
   * Opens the stream after the event with an id. Throws `receiver_unreachable`, or the error that the server returns.
   */
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly signal: AbortSignal
}

const RETRY_MS = 1_000
const MAX_RETRIES = 30
const NO_CONTENT = 204

/**
 * Yields the events of a plan as they arrive, and reconnects when the connection breaks. Returns the plan's final
 * state, or undefined if the signal aborts. Throws if the server refuses, or is unreachable for half a minute.
 */
export async function* eventFeed({ connect, signal }: EventFeedOptions): AsyncGenerator<FeedItem, string | undefined> {
  let lastEventId: string | undefined
  let state: string | undefined
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await connect(lastEventId, signal)
      const isKnown = lastEventId !== undefined
      failures = 0
      state = response.headers.get(RECORD_HEADERS.state) ?? undefined
      if (response.status === NO_CONTENT || (isKnown && state === 'interrupted')) {
        await response.body?.cancel()
        return state
      }
      let isLive = false
      for await (const frame of framesOf(response)) {
        isLive ||= frame.has('retry')
        lastEventId = frame.get('id') ?? lastEventId
        yield itemOf(frame)
      }
      if (!isLive) return state
    } catch (error) {
      if (signal.aborted) return undefined
      const isGone = !(error instanceof PlanspanError) || error.code === 'receiver_unreachable'
      if (lastEventId === undefined || !isGone || ++failures > MAX_RETRIES) throw error
      await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

type SseFrame = ReadonlyMap<string, string>

async function* framesOf({ body }: Response): AsyncGenerator<SseFrame> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body ?? []) {
    const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\r\n\r\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield new Map(part.split('\r\n').map(fieldOf))
  }
}

/** Splits a line of a frame into a field's name and value; a comment has an empty name. */
function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, Math.max(0, colon)), line.slice(colon + 1).trim()]
}

function itemOf(frame: SseFrame): FeedItem {
  const data = frame.get('data')
  if (data === undefined) return { kind: 'changed' }
  return { kind: 'event', event: frame.get('event') ?? 'message', data: JSON.parse(data) as Record<string, unknown> }
}
