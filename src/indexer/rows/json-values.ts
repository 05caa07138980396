import { endOf, type SpanNode } from '../../mapping/index.js'
import type { StatusCode } from '../../semconv/index.js'
import { dateTime } from '../../store/index.js'

const STATUS: Readonly<Record<StatusCode, string>> = { OK: 'Ok', ERROR: 'Error', UNSET: 'Unset' }

/** A span's status as the collector stores it. */
export const statusOf = ({ span }: SpanNode): string => STATUS[span.statusCode]

/** The id of the span above, in the tree if it is there. */
export const parentIdOf = ({ span, parent }: SpanNode): string => parent?.span.spanId ?? span.parentSpanId

/** Nanoseconds from the start of a span to its end, as decimal text. */
export const durationOf = ({ span }: SpanNode): string => String(endOf(span) - span.startTimeUnixNano)

export const maybeTime = (time: bigint | undefined): string | null => (time === undefined ? null : dateTime(time))

/** JSON has no infinities. */
export const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null
