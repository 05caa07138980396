import { randomUUID } from 'node:crypto'
import type { Attributes, HrTime } from '@opentelemetry/api'
import { ATTR, PENDING } from '../../semconv/index.js'
import type { SpanLike } from '../sdk-types.js'

/** The time of a snapshot, and the attributes that it adds to its span's. */
export interface SnapshotMoment {
  /** The index among the span's snapshots, from 0. */
  readonly seq: number
  readonly time: HrTime
  readonly attributes: Attributes | undefined
}

/**
 * Returns an open span as an ended one: with its own id, the real span as its parent, and everything that the real span
 * contains so far. The open span itself can't be exported: it has no end, and later changes to it would be exported.
 */
export function snapshotOf(span: SpanLike, { seq, time, attributes }: SnapshotMoment): SpanLike {
  const real = span.spanContext()
  const own = { ...real, spanId: randomSpanId() }
  const { name, kind, startTime, resource, instrumentationScope } = span
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = span
  const endTime = isBefore(time, startTime) ? startTime : time
  const snapshot = {
    name,
    kind,
    spanContext: () => own,
    parentSpanContext: { ...real },
    startTime,
    endTime,
    duration: between(startTime, endTime),
    ended: true,
    status: { ...span.status },
    attributes: {
      ...span.attributes,
      ...attributes,
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: real.spanId,
      [ATTR.pendingParentSpanId]: span.parentSpanContext?.spanId ?? '',
      [ATTR.snapshotSeq]: seq,
    },
    links: [...span.links],
    events: [...span.events],
    resource,
    instrumentationScope,
    droppedAttributesCount,
    droppedEventsCount,
    droppedLinksCount,
  }
  return snapshot
}

/** Random bytes of a UUID, which Node makes in advance. */
function randomSpanId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(-8)
}

const isBefore = (a: HrTime, b: HrTime): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

const between = ([seconds, nanos]: HrTime, [endSeconds, endNanos]: HrTime): HrTime =>
  endNanos < nanos
    ? [endSeconds - seconds - 1, endNanos + 1_000_000_000 - nanos]
    : [endSeconds - seconds, endNanos - nanos]
