import { ATTR, PENDING, type StoredSpan } from '../../semconv/index.js'
import { isLogEvent } from './log-events.js'

/** The highest weight of a snapshot, and the weight of a final row. */
const MOST_SNAPSHOTS = 4_095
const FINAL = 4_096

/**
 * Keeps the rows of a trace that count: the final row of each span, otherwise its latest snapshot. Rows may be added in
 * any order and repeatedly.
 */
export class SpanBuffer {
  readonly #finals = new Map<string, StoredSpan>()
  readonly #snapshots = new Map<string, StoredSpan>()
  readonly #logs = new Map<string, StoredSpan>()

  /** Adds a row. Returns whether the row added information. */
  add(row: StoredSpan): boolean {
    if (isLogEvent(row)) {
      const isKnown = this.#logs.has(row.spanId)
      if (!isKnown) this.#logs.set(row.spanId, row)
      return !isKnown
    }
    const isSnapshot = row.attributes[ATTR.spanState] === PENDING
    const spanId = isSnapshot ? pendingIdOf(row) : row.spanId
    if (isSnapshot && this.#finals.has(spanId)) return false
    const best = isSnapshot ? this.#snapshots : this.#finals
    const other = best.get(spanId)
    if (other && !isNewer(row, other)) return false
    best.set(spanId, row)
    if (!isSnapshot) this.#snapshots.delete(spanId)
    return true
  }

  /** The final rows by span id. */
  get finals(): ReadonlyMap<string, StoredSpan> {
    return this.#finals
  }

  /** The latest snapshots of spans without a final row, by the id of the real span. */
  get snapshots(): ReadonlyMap<string, StoredSpan> {
    return this.#snapshots
  }

  /** The rows of log records, by their own ids. */
  get logs(): ReadonlyMap<string, StoredSpan> {
    return this.#logs
  }

  get size(): number {
    return this.#finals.size + this.#snapshots.size + this.#logs.size
  }

  /** A measure of what is known. It grows as rows are added and does not depend on their order. */
  get knowledge(): number {
    let known = this.#finals.size * FINAL + this.#logs.size
    for (const row of this.#snapshots.values()) known += Math.min(snapshotSeq(row) + 1, MOST_SNAPSHOTS)
    return known
  }

  *[Symbol.iterator](): Generator<StoredSpan> {
    yield* this.#finals.values()
    yield* this.#snapshots.values()
    yield* this.#logs.values()
  }
}

/** The final rows of a trace without their content: enough to recognize rows that repeat them. */
export class FinalSpans {
  /** The end of each span. Spans with numbered final rows are left out. */
  readonly #ends = new Map<string, bigint>()
  readonly #logs: ReadonlySet<string>

  constructor({ finals, logs }: Pick<SpanBuffer, 'finals' | 'logs'>) {
    this.#logs = new Set(logs.keys())
    for (const [spanId, row] of finals) if (snapshotSeq(row) === 0) this.#ends.set(spanId, row.endTimeUnixNano)
  }

  get size(): number {
    return this.#ends.size + this.#logs.size
  }

  /** Whether a row adds no information, by the rules of `SpanBuffer.add`. */
  covers(row: StoredSpan): boolean {
    if (isLogEvent(row)) return this.#logs.has(row.spanId)
    if (row.attributes[ATTR.spanState] === PENDING) return this.#ends.has(pendingIdOf(row))
    const end = this.#ends.get(row.spanId)
    return end !== undefined && snapshotSeq(row) === 0 && row.endTimeUnixNano <= end
  }
}

/**
 * The id of the span that a snapshot belongs to. Snapshots are children of their span. A snapshot without an id and a
 * parent is its own span.
 */
const pendingIdOf = (row: StoredSpan): string => row.attributes[ATTR.pendingSpanId] || row.parentSpanId || row.spanId

/**
 * Among the rows of a span, the highest snapshot wins, then the latest end. The span id makes the choice independent of
 * the order.
 */
function isNewer(row: StoredSpan, other: StoredSpan): boolean {
  const difference = snapshotSeq(row) - snapshotSeq(other)
  if (difference !== 0) return difference > 0
  if (row.endTimeUnixNano !== other.endTimeUnixNano) return row.endTimeUnixNano > other.endTimeUnixNano
  return row.spanId > other.spanId
}

/** The number of a snapshot among those of its span, from 0. */
export function snapshotSeq({ attributes }: StoredSpan): number {
  const seq = Number(attributes[ATTR.snapshotSeq] ?? 0)
  return Number.isSafeInteger(seq) ? seq : 0
}
