/** A client that comes back later than this after an answer sends at times of its own. */
const PROMPT_MS = 150
/** Of so many requests that were answered at once, three quarters come back that soon only if their senders wait for answers. */
const CROWD = 16
const CROWD_MS = 75
const AT_ONCE_MS = 20

interface Client {
  answeredAt: number
  /** Milliseconds from an answer to the next request; a long time is forgotten by halves. */
  returnMs: number
}

/**
 * Tells how long a request may wait for others. An insert costs the same for a few spans as for some thousands, so agents
 * that export now and then, each at its own times, are better stored together. Not those that waiting would hold up: a
 * client that is alone, or that sends its next request as soon as it has an answer. One that does so over many connections
 * takes now this one, now that, and is known by the crowd that comes behind an answer.
 */
export class Pace {
  private readonly patienceMs: number
  private readonly now: () => number
  private readonly clients = new WeakMap<object, Client>()
  private latest: object | undefined
  private latestAt = Number.NEGATIVE_INFINITY
  private otherAt = Number.NEGATIVE_INFINITY
  private patientAt = Number.NEGATIVE_INFINITY
  private answeredAt = Number.NEGATIVE_INFINITY
  private answeredTogether = 0
  private returned = 0

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
    if (now - this.answeredAt <= CROWD_MS) this.returned++
    if (!this.isPatient(client, now)) return 0
    this.patientAt = now
    return this.patienceMs
  }

  answered(client: object): void {
    const now = this.now()
    const known = this.clients.get(client)
    if (known) known.answeredAt = now
    else this.clients.set(client, { answeredAt: now, returnMs: 0 })
    if (now - this.answeredAt > AT_ONCE_MS) {
      this.answeredAt = now
      this.answeredTogether = this.returned = 0
    }
    this.answeredTogether++
  }

  private isPatient(client: object, now: number): boolean {
    const known = this.clients.get(client)
    // A client with a clock of its own comes back soon, too, when it has waited for long: now and then, not each time.
    if (known) known.returnMs = Math.max(Math.min(now - known.answeredAt, this.patienceMs), known.returnMs / 2)
    if (this.isCrowdBack()) return false
    // Nothing is known of it yet, so it does as the others do.
    if (!known) return now - this.patientAt <= this.patienceMs
    return known.returnMs >= PROMPT_MS && now - this.otherAt <= this.patienceMs
  }

  private isCrowdBack(): boolean {
    return this.answeredTogether >= CROWD && this.returned * 4 >= this.answeredTogether * 3
  }
}
