import type { StoredSpan } from '../../semconv/index.js'

/** Compares two times or texts. */
export const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders spans by start, then id. */
export const byStart = (a: StoredSpan, b: StoredSpan): number =>
  compare(a.startTimeUnixNano, b.startTimeUnixNano) || compare(a.spanId, b.spanId)

/** Orders spans by end, then id. */
export const byEnd = (a: StoredSpan, b: StoredSpan): number =>
  compare(a.endTimeUnixNano, b.endTimeUnixNano) || compare(a.spanId, b.spanId)
