import { ATTR, type StoredSpan } from '../semconv/index.js'
import { noteOperations, type ServiceOperation, type QueryTarget, type SpanSource } from '../store/index.js'

/** How long an operation is remembered as recorded, milliseconds. Erasing plans removes recorded operations. */
const REMEMBERED_MS = 60_000
/** The maximum lag of the recorded time range of an operation, nanoseconds: an hour. */
const RANGE_NANOS = 3_600_000_000_000n

/** The span names of each service, and which of them are recorded. */
export class Operations {
  #noted = new Map<string, ServiceOperation>()
  #rememberedSince = 0
  #found = new Map<string, ServiceOperation>()

  /** Adds the operation of a span. Log records have none. */
  add({ serviceName, name, kind, startTimeUnixNano: time, attributes }: StoredSpan): void {
    if (serviceName === '' || attributes[ATTR.logEvent] !== undefined) return
    const key = `${serviceName}\n${kind}\n${name}`
    const noted = this.#noted.get(key)
    if (noted && time >= noted.start - RANGE_NANOS && time <= noted.end + RANGE_NANOS) return
    const found = this.#found.get(key)
    if (!found) this.#found.set(key, { serviceName, name, kind, start: time, end: time })
    else if (time < found.start) found.start = time
    else if (time > found.end) found.end = time
  }

  /** Records the added operations that are new, or whose time range has grown. */
  async note(target: QueryTarget, source: SpanSource): Promise<void> {
    if (this.#found.size > 0) await noteOperations(target, source, [...this.#found.values()])
    if (Date.now() - this.#rememberedSince > REMEMBERED_MS) {
      this.#noted.clear()
      this.#rememberedSince = Date.now()
    }
    for (const [key, operation] of this.#found) this.#noted.set(key, operation)
    this.#found = new Map()
  }
}
