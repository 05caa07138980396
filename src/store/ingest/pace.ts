/** A client that comes back later than this after an answer sends at times of its own. */
const PROMPT_MS = 150

interface Client {
  answeredAt: number
  /** Milliseconds from an answer to the next request; a long time is forgotten by halves. */
  returnMs: number
}

/**
 * Tells how long a request may wait for others. An insert costs the same for a few spans as for some thousands, so agents
 * that export now and then, each at its own times, are better stored together. Not those that waiting would hold up: a
 * client that is alone, or that sends its next request as soon as it has an answer.
 */
export class Pace {
  private readonly patienceMs: number
  private readonly now: () => number
  private readonly clients = new WeakMap<object, Client>()
  private latest: object | undefined
  private latestAt = Number.NEGATIVE_INFINITY
  private otherAt = Number.NEGATIVE_INFINITY
  private patientAt = Number.NEGATIVE_INFINITY

  constructor(patienceMs: number, now: () => number = () => performance.now()) {
    this.patienceMs = patienceMs
    this.now = now
  }

  /** Milliseconds that the request which this client sends now may wait; `client` is its connection. */
  arrives(client: object): number {
    const now = this.now()
    if (client !== this.latest) this.otherAt = this.latestAt
    this.latest = client
    this.latestAt = now
    if (!this.isPatient(client, now)) return 0
    this.patientAt = now
    return this.patienceMs
  }

  answered(client: object): void {
    const known = this.clients.get(client)
    if (known) known.answeredAt = this.now()
    else this.clients.set(client, { answeredAt: this.now(), returnMs: 0 })
  }

  private isPatient(client: object, now: number): boolean {
    const known = this.clients.get(client)
    // Nothing is known of it yet, so it does as the others do.
    if (!known) return now - this.patientAt <= this.patienceMs
    // A client with a clock of its own comes back soon, too, when it has waited for long: now and then, not each time.
    known.returnMs = Math.max(Math.min(now - known.answeredAt, this.patienceMs), known.returnMs / 2)
    return known.returnMs >= PROMPT_MS && now - this.otherAt <= this.patienceMs
  }
}
