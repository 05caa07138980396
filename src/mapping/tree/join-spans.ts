import { isLatestOnly, isSummed } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { isChildCount } from './gaps.js'
import { snapshotSeq } from './span-buffer.js'
import { compare } from './span-order.js'

/**
 * Joins the parts of a plan, agent or wait, in segment order, into one span. It lasts from the first start to the last
 * end and has the events of all parts. Attributes of later parts override those of earlier parts, except for totals,
 * which add up. Each part counts its own children, so the joined span has no counts.
 */
export function joinSpans(parts: readonly [FoldedSpan, ...FoldedSpan[]]): FoldedSpan {
  const [first] = parts
  const last = parts.at(-1) ?? first
  const attributes: Record<string, string> = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part.attributes)) {
      if (isChildCount(key)) continue
      if (isSummed(key)) attributes[key] = sumOf(attributes[key], value)
      else if (part === last || !isLatestOnly(key)) attributes[key] = value
    }
  }
  return {
    ...last,
    spanId: first.spanId,
    parentSpanId: first.parentSpanId,
    startTimeUnixNano: parts.reduce((start, part) => earlier(start, part.startTimeUnixNano), first.startTimeUnixNano),
    attributes,
    events: parts.flatMap(({ events }) => events),
    links: parts.flatMap(({ links }) => links),
  }
}

/** Adds a number to a sum. A text that is not a number replaces the sum. */
function sumOf(sum: string | undefined, value: string): string {
  const total = Number(sum ?? 0) + Number(value)
  return Number.isNaN(total) ? value : String(total)
}

const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The order of a plan's segments. If two have the same number, the one that has ended or began later is last. */
export function bySegment(
  a: { readonly segment: number; readonly span: FoldedSpan },
  b: { readonly segment: number; readonly span: FoldedSpan },
): number {
  return (
    a.segment - b.segment ||
    Number(b.span.pending) - Number(a.span.pending) ||
    compare(a.span.startTimeUnixNano, b.span.startTimeUnixNano) ||
    snapshotSeq(a.span) - snapshotSeq(b.span) ||
    compare(a.span.spanId, b.span.spanId)
  )
}
