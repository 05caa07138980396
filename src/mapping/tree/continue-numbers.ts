import { ATTR, decodeFields, EVENTS, isData, isList, parseJson, planFields } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import type { Parts } from './merge-nodes.js'
import { reviewLogOf } from './recorded-reviews.js'
import { nearest, ownNodes, type SpanNode } from './span-node.js'

/**
 * Continues the numbers of a plan's reviews and versions over its segments. A segment that was resumed with an early
 * token counts from the start again.
 */
export function continueNumbers(parts: Parts): void {
  continueReviews(parts)
  continueRevisions(parts)
}

/** Returns how much the numbers of each list must grow, so that the lists continue one another. */
export function shiftsOf(lists: readonly (readonly number[])[]): number[] {
  let next = 0
  return lists.map((list) => {
    const numbers = list.filter(Number.isSafeInteger)
    const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY)
    const shift = first < next ? next - first : 0
    for (const number of numbers) next = Math.max(next, number + shift + 1)
    return shift
  })
}

type Review = Readonly<Record<string, unknown>>

function continueReviews(parts: Parts): void {
  const lists: (readonly Review[])[] = []
  for (const { span } of parts) lists.push(ownReviews(span, lists.flat()))
  const shifts = shiftsOf(lists.map((list) => list.map(({ attempt }) => Number(attempt))))
  const log = lists.flatMap((list, at) => list.map((review) => shifted(review, shifts[at] ?? 0)))
  if (log.length === 0) return
  for (const [at, part] of parts.entries()) {
    const shift = shifts[at] ?? 0
    if (shift === 0) continue
    shiftEvents(part, ATTR.reviewAttempt, shift)
    for (const node of ownNodes(part)) if (node.role === 'wait') shiftNumber(node, ATTR.reviewAttempt, shift)
  }
  const last = parts.at(-1) ?? parts[0]
  const logged = { [ATTR.reviewLog]: JSON.stringify(log), [ATTR.reviewCount]: String(log.length) }
  last.span = { ...last.span, attributes: { ...last.span.attributes, ...logged } }
}

/** Returns the reviews of one segment. Its list may repeat the reviews of earlier segments. */
function ownReviews(span: FoldedSpan, earlier: readonly Review[]): readonly Review[] {
  const recorded = parseJson(reviewLogOf(span) ?? '[]')
  const list = isList(recorded) ? recorded.filter(isData) : []
  const events = span.events.filter(({ name }) => name === EVENTS.review).length
  if (events > 0) return list.slice(-events)
  const repeats = earlier.every((review, at) => JSON.stringify(review) === JSON.stringify(list[at]))
  return repeats ? list.slice(earlier.length) : list
}

const shifted = (review: Review, shift: number): Review =>
  typeof review['attempt'] === 'number' ? { ...review, attempt: review['attempt'] + shift } : review

function continueRevisions(parts: Parts): void {
  const plannings = parts.map((part) => nearest(part, 'planning'))
  const lists = parts.map(({ span }, at) => [
    ...span.events.map(({ attributes }) => decodeFields(REVISION, attributes).revision ?? Number.NaN),
    ...(plannings[at] ?? []).map((node) => decodeFields(REVISION, node.span.attributes).revision ?? Number.NaN),
  ])
  for (const [at, shift] of shiftsOf(lists).entries()) {
    const part = parts[at]
    if (!part || shift === 0) continue
    shiftEvents(part, ATTR.planRevision, shift)
    for (const node of [part, ...(plannings[at] ?? [])]) shiftNumber(node, ATTR.planRevision, shift)
  }
}

const REVISION = { revision: planFields.revision }

/** Renumbers the events of a segment. A version that a later segment made updates the plan. */
function shiftEvents(part: SpanNode, key: string, shift: number): void {
  const events = part.span.events.map((event) => {
    if (event.attributes[key] === undefined) return event
    const name = event.name === EVENTS.planCreated ? EVENTS.planUpdated : event.name
    return { ...event, name, attributes: numbered(event.attributes, key, shift) }
  })
  part.span = { ...part.span, events }
}

function shiftNumber(node: SpanNode, key: string, shift: number): void {
  const { attributes } = node.span
  if (attributes[key] !== undefined) node.span = { ...node.span, attributes: numbered(attributes, key, shift) }
}

const numbered = (
  attributes: Readonly<Record<string, string>>,
  key: string,
  shift: number,
): Record<string, string> => ({
  ...attributes,
  [key]: String(Number(attributes[key]) + shift),
})
