import { ATTR, isLatestOnly } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { snapshotSeq } from './span-buffer.js'
import { compare } from './span-order.js'
import { reviewLogOf } from './recorded-reviews.js'

/**
 * Joins the parts of a plan, agent or wait, in segment order, into one span. It lasts from the first start to the last
 * end and has the events of all parts. Attributes of later parts override those of earlier parts.
 */
export function joinSpans(parts: readonly [FoldedSpan, ...FoldedSpan[]]): FoldedSpan {
  const [first] = parts
  const last = parts.at(-1) ?? first
  const attributes: Record<string, string> = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part.attributes)) {
      if (part === last || !isLatestOnly(key)) attributes[key] = value
    }
  }
  const reviews = parts.flatMap((part) => reviewLogOf(part) ?? [])
  if (reviews.length > 1) attributes[ATTR.reviewLog] = joinLists(reviews)
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

const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Concatenates lists in JSON text. A list that begins with the items of the previous list replaces it. */
function joinLists(lists: readonly string[]): string {
  return lists.reduce((joined, list) => {
    const items = itemsText(joined)
    const more = itemsText(list)
    if (items === undefined || more === undefined || more.startsWith(items)) return list
    return more === '' ? joined : `[${items},${more}]`
  })
}

/** The text between the brackets of a list. */
const itemsText = (list: string): string | undefined => /^\[([\s\S]*)\]$/.exec(list.trim())?.[1]?.trim()

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
