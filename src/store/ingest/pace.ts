/** A sender may be waiting for each response if it sends a request within this time of its last one, milliseconds. */
const PROMPT_MS = 1000
/** The fraction of a longer pause that the next request may wait for others. */
const SHARE = 0.75
/** The maximum wait, milliseconds. */
const MAX_WAIT_MS = 2500
/** The time after which a silent sender is forgotten, milliseconds. */
const MEMORY_MS = 60_000

/** The last response to a sender. */
interface LastResponse {
  readonly at: number
  /** The number of requests that all senders had sent by then. */
  readonly requests: number
}

/**
 * Decides how long a request may wait for others to share its insert, because an insert of a few spans costs about as
 * much as one of some thousands. A sender that paused after its last response can wait for a fraction of that pause. A
 * request that follows a response promptly does not wait, nor does the first request of a sender. No request waits
 * unless another one is expected meanwhile.
 *
 * A sender is identified by several marks, such as its connection and its resource attributes. Each mark can mislead:
 * a client may alternate between sockets, and several senders may have the same attributes. Therefore the mark with the
 * latest response counts.
 */
export class Pace {
  private readonly now: () => number
  /** By mark, the oldest response first. */
  private readonly responses = new Map<string, LastResponse>()
  private requests = 0

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Records a request. Returns how long it may wait for others, milliseconds. */
  recordRequest(marks: readonly string[]): number {
    const others = this.requests++
    const last = this.lastResponse(marks)
    if (!last) return 0
    const pause = this.now() - last.at
    if (pause < PROMPT_MS) return 0
    const patience = Math.min(pause * SHARE, MAX_WAIT_MS)
    const expected = ((others - last.requests) / pause) * patience
    return expected >= 1 ? patience : 0
  }

  /** Whether one of these marks had a response so recently that its sender may be waiting for each response. */
  isPrompt(marks: readonly string[]): boolean {
    const since = this.now() - PROMPT_MS
    return marks.some((mark) => (this.responses.get(mark)?.at ?? Number.NEGATIVE_INFINITY) > since)
  }

  /** Records the response to a request. */
  recordResponse(marks: readonly string[]): void {
    const at = this.now()
    for (const mark of marks) {
      this.responses.delete(mark)
      this.responses.set(mark, { at, requests: this.requests })
    }
    for (const [mark, response] of this.responses) {
      if (at - response.at <= MEMORY_MS) break
      this.responses.delete(mark)
    }
  }

  /** Returns the latest response to any of the marks; undefined if one of the marks has no response yet. */
  private lastResponse(marks: readonly string[]): LastResponse | undefined {
    let last: LastResponse | undefined
    for (const mark of marks) {
      const response = this.responses.get(mark)
      if (!response || this.now() - response.at > MEMORY_MS) return undefined
      if (!last || response.at > last.at) last = response
    }
    return last
  }
}
