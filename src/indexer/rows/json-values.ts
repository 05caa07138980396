import { endOf, type SpanNode } from '../../mapping/index.js'
import { dateTime } from '../../store/index.js'

/** The id of the span above, in the tree if it is there. */
export const parentIdOf = ({ span, parent }: SpanNode): string => parent?.span.spanId ?? span.parentSpanId

/** Nanoseconds from the start of a span to its end, as decimal text. */
export const durationOf = ({ span }: SpanNode): string => String(endOf(span) - span.startTimeUnixNano)

/** The last time that a DateTime64(9) holds, 2262-04-11. */
const LAST_TIME = 2n ** 63n - 1n

export const maybeTime = (time: bigint | undefined): string | null =>
  time === undefined ? null : dateTime(time < LAST_TIME ? time : LAST_TIME)

/** JSON has no infinities. */
export const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

/** A sum for an Int64, within what JSON carries exactly. */
export const whole = (value: number | undefined): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.round(value ?? 0)))
