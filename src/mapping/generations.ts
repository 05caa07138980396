import { compare } from './tree/index.js'

/** One import of a record. A changed record is imported again, and each import is its own trace. */
export interface Generation {
  readonly traceId: string
  /** The latest end of its spans, Unix nanoseconds: the latest time in the record. */
  readonly end: bigint
  /** Whether the record says that its plan is over. */
  readonly isOver: boolean
  /** The number of spans of the whole record. */
  readonly recordSpans: number
  /** The version of the mapping that wrote the spans. */
  readonly mappingVersion: number
  /** Whether values were masked or left out on purpose. */
  readonly redacted: boolean
  readonly digest: string
}

/**
 * Returns the import that stands for the record; the others are superseded. That is the one with the latest time, then
 * one that is over, the one with the most spans, the newest mapping, one without redacted values. The digest and the
 * trace id make the choice independent of the order. Returns undefined for an empty list.
 */
export function decidingGeneration(generations: Iterable<Generation>): Generation | undefined {
  let deciding: Generation | undefined
  for (const generation of generations) {
    if (!deciding || compareGenerations(generation, deciding) < 0) deciding = generation
  }
  return deciding
}

/** Orders the imports of a record: the deciding one is first. */
export function compareGenerations(a: Generation, b: Generation): number {
  return (
    compare(b.end, a.end) ||
    Number(b.isOver) - Number(a.isOver) ||
    b.recordSpans - a.recordSpans ||
    b.mappingVersion - a.mappingVersion ||
    Number(a.redacted) - Number(b.redacted) ||
    compare(b.digest, a.digest) ||
    compare(a.traceId, b.traceId)
  )
}
