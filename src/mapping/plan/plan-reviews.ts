import {
  ATTR,
  decodeFields,
  EVENTS,
  isData,
  isList,
  parseJson,
  planFields,
  reviewFields,
  textIn,
} from '../../semconv/index.js'
import type { FoldedSpan } from '../tree/fold.js'
import { itemsOf } from '../json/node.js'
import { tryParseJson } from '../json/parse.js'

/**
 * A plan's reviews, a list in JSON text: its own list or, where that was left out, cut or never written, what its
 * events tell. The view `reviews` takes them from the same two.
 */
export function reviewLogOf({ attributes, events }: Pick<FoldedSpan, 'attributes' | 'events'>): string | undefined {
  const log = attributes[ATTR.reviewLog]
  if (log !== undefined && itemsOf(tryParseJson(log)).length > 0) return log
  const told = events.filter(({ name }) => name === EVENTS.review).map((event) => reviewOf(event.attributes))
  return told.length > 0 ? JSON.stringify(told) : log
}

function reviewOf(attributes: Readonly<Record<string, string>>): object {
  const { attempt, action, feedback } = decodeFields(reviewFields, attributes)
  return { attempt, action, feedback }
}

/** A decision on a plan. */
export interface PlanReview {
  readonly attempt: number | undefined
  readonly action: string | undefined
  readonly feedback: string | undefined
  readonly reviewer: string | undefined
  /** When it was told, Unix nanoseconds; undefined where no event tells. */
  readonly time: bigint | undefined
}

/** A plan's reviews in their order: its list, and beside each what the event of the same place tells. */
export function reviewsOf(span: Pick<FoldedSpan, 'attributes' | 'events'>): PlanReview[] {
  const log = parseJson(reviewLogOf(span) ?? '[]')
  const list = isList(log) ? log : []
  const events = span.events.filter(({ name }) => name === EVENTS.review)
  const { reviewer } = decodeFields(REVIEWER, span.attributes)
  return Array.from({ length: Math.max(list.length, events.length) }, (_, place) => {
    const listed = isData(list[place]) ? list[place] : {}
    const event = events[place]
    const told = decodeFields(reviewFields, event?.attributes ?? {})
    return {
      attempt: typeof listed['attempt'] === 'number' ? listed['attempt'] : told.attempt,
      action: textIn(listed, 'action') || told.action,
      feedback: textIn(listed, 'feedback') || told.feedback || undefined,
      reviewer: told.actor ?? reviewer,
      time: event?.timeUnixNano,
    }
  })
}

const REVIEWER = { reviewer: planFields.reviewer }
