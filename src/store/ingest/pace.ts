/** A sender that sends again within this of its answer may have waited for it, milliseconds. */
const PROMPT_MS = 1000
/** How much of a longer pause its next request may wait for others, and the most, milliseconds. */
const SHARE = 0.75
const MOST_MS = 2500
/** A sender of which nothing was heard for longer is a new one, milliseconds. */
const MEMORY_MS = 60_000

interface Answered {
  readonly at: number
  /** How many requests had come by then. */
  readonly requests: number
}

/**
 * Decides how long a request may wait for others to share its insert, which costs about the same for a few spans as
 * for some thousands. A sender that let a while pass since its last answer can wait for a part of that while. One that
 * sends soon after it is answered can't wait at all, and of a new one nothing is known. Nobody waits where no others
 * are to be expected.
 *
 * A sender is known by several marks, such as its connection and what its spans say of it. Each may mislead: the
 * sockets of a client may take turns, and several senders may call themselves the same. So the mark answered last
 * counts.
 */
export class Pace {
  private readonly now: () => number
  /** In the order of their last answers. */
  private readonly answers = new Map<string, Answered>()
  private requests = 0

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** A request comes; returns how long it may wait, milliseconds. */
  comes(marks: readonly string[]): number {
    const others = this.requests++
    const last = this.lastAnswer(marks)
    if (!last) return 0
    const pause = this.now() - last.at
    if (pause < PROMPT_MS) return 0
    const patience = Math.min(pause * SHARE, MOST_MS)
    const expected = ((others - last.requests) / pause) * patience
    return expected >= 1 ? patience : 0
  }

  /** Whether a sender with one of these marks was answered just now, so that it may wait for each answer. */
  isBrisk(marks: readonly string[]): boolean {
    const since = this.now() - PROMPT_MS
    return marks.some((mark) => (this.answers.get(mark)?.at ?? Number.NEGATIVE_INFINITY) > since)
  }

  /** The sender with these marks is answered. */
  answered(marks: readonly string[]): void {
    const at = this.now()
    for (const mark of marks) {
      this.answers.delete(mark)
      this.answers.set(mark, { at, requests: this.requests })
    }
    for (const [mark, answer] of this.answers) {
      if (at - answer.at <= MEMORY_MS) break
      this.answers.delete(mark)
    }
  }

  /** The last answer to any of the marks; undefined unless all of them have had one. */
  private lastAnswer(marks: readonly string[]): Answered | undefined {
    let last: Answered | undefined
    for (const mark of marks) {
      const answer = this.answers.get(mark)
      if (!answer || this.now() - answer.at > MEMORY_MS) return undefined
      if (!last || answer.at > last.at) last = answer
    }
    return last
  }
}
