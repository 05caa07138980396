import { endOf, type SpanNode } from '../../mapping/index.js'
import { dateTime } from '../../store/index.js'

/** Returns the id of the parent span: that of the parent in the tree, or else the stored one. */
export const parentIdOf = ({ span, parent }: SpanNode): string => parent?.span.spanId ?? span.parentSpanId

/** Returns the time from the start to the end of a span, over or not, nanoseconds as decimal text. */
export const rawDurationOf = ({ span }: SpanNode): string => String(endOf(span) - span.startTimeUnixNano)

/** The maximum of a DateTime64(9), 2262-04-11. */
const LAST_TIME = 2n ** 63n - 1n

export const maybeTime = (time: bigint | undefined): string | null =>
  time === undefined ? null : dateTime(time < LAST_TIME ? time : LAST_TIME)

/** Returns null for infinities and NaN, which JSON does not support. */
export const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

/** Rounds a sum to an integer, and limits it to the range of exact integers in JSON. */
export const whole = (value: number | undefined): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.round(value ?? 0)))
