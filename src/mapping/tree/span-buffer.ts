import { ATTR, PENDING, type StoredSpan } from '../../semconv/index.js'

/** The highest weight of a snapshot, and the weight of a final row. */
const MOST_SNAPSHOTS = 4_095
const FINAL = 4_096

/**
 * The rows of a trace that count: of each span the final row, otherwise its latest snapshot. Rows may be added in any
 * order and repeatedly.
 */
export class SpanBuffer {
  readonly #finals = new Map<string, StoredSpan>()
  readonly #snapshots = new Map<string, StoredSpan>()

  /** Adds a row. Returns whether it counts, so that something new is known. */
  add(row: StoredSpan): boolean {
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

  /** The final rows by their span ids. */
  get finals(): ReadonlyMap<string, StoredSpan> {
    return this.#finals
  }

  /** The latest snapshots of spans without a final row, by the ids of these spans. */
  get snapshots(): ReadonlyMap<string, StoredSpan> {
    return this.#snapshots
  }

  get size(): number {
    return this.#finals.size + this.#snapshots.size
  }

  /** A measure of what is known that only grows as rows are added, and does not depend on their order. */
  get knowledge(): number {
    let known = this.#finals.size * FINAL
    for (const row of this.#snapshots.values()) known += Math.min(snapshotSeq(row) + 1, MOST_SNAPSHOTS)
    return known
  }

  *[Symbol.iterator](): Generator<StoredSpan> {
    yield* this.#finals.values()
    yield* this.#snapshots.values()
  }
}

/** The final rows of a trace without their content: enough to recognize rows that repeat them. */
export class FinalSpans {
  /** The end of each span; without spans whose final rows are numbered. */
  readonly #ends = new Map<string, bigint>()

  constructor({ finals }: Pick<SpanBuffer, 'finals'>) {
    for (const [spanId, row] of finals) if (snapshotSeq(row) === 0) this.#ends.set(spanId, row.endTimeUnixNano)
  }

  get size(): number {
    return this.#ends.size
  }

  /** Whether a row says nothing new, as `SpanBuffer.add` decides it. */
  covers(row: StoredSpan): boolean {
    if (row.attributes[ATTR.spanState] === PENDING) return this.#ends.has(pendingIdOf(row))
    const end = this.#ends.get(row.spanId)
    return end !== undefined && snapshotSeq(row) === 0 && row.endTimeUnixNano <= end
  }
}

/** A snapshot hangs below the span that it is of; one that names none and has no parent stands for itself. */
const pendingIdOf = (row: StoredSpan): string => row.attributes[ATTR.pendingSpanId] || row.parentSpanId || row.spanId

/**
 * Of the rows of a span the highest snapshot, then the latest end; the rest only keeps the choice the same in any
 * order.
 */
function isNewer(row: StoredSpan, other: StoredSpan): boolean {
  const difference = snapshotSeq(row) - snapshotSeq(other)
  if (difference !== 0) return difference > 0
  if (row.endTimeUnixNano !== other.endTimeUnixNano) return row.endTimeUnixNano > other.endTimeUnixNano
  return row.spanId > other.spanId
}

/** A snapshot's place among those of its span, from 0. */
export function snapshotSeq({ attributes }: StoredSpan): number {
  const seq = Number(attributes[ATTR.snapshotSeq] ?? 0)
  return Number.isSafeInteger(seq) ? seq : 0
}
