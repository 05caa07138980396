import {
  decodeFields,
  EVENTS,
  isData,
  isList,
  parseJson,
  planFields,
  reviewFields,
  textIn,
} from '../../semconv/index.js'
import { type FoldedSpan, reviewLogOf } from '../tree/index.js'

/** A decision on a plan. */
export interface PlanReview {
  readonly attempt: number | undefined
  readonly action: string | undefined
  readonly feedback: string | undefined
  readonly reviewer: string | undefined
  /** When the review was recorded, Unix nanoseconds. Undefined without an event. */
  readonly time: bigint | undefined
}

/**
 * Returns a plan's reviews in order. Each entry of its review list is completed from the review event in the same
 * position.
 */
export function reviewsOf(span: Pick<FoldedSpan, 'attributes' | 'events'>): PlanReview[] {
  const log = parseJson(reviewLogOf(span) ?? '[]')
  const list = isList(log) ? log : []
  const events = span.events.filter(({ name }) => name === EVENTS.review)
  const { reviewer } = decodeFields(REVIEWER, span.attributes)
  return Array.from({ length: Math.max(list.length, events.length) }, (_, place) => {
    const listed = isData(list[place]) ? list[place] : {}
    const event = events[place]
    const recorded = decodeFields(reviewFields, event?.attributes ?? {})
    return {
      attempt: typeof listed['attempt'] === 'number' ? listed['attempt'] : recorded.attempt,
      action: textIn(listed, 'action') || recorded.action,
      feedback: textIn(listed, 'feedback') || recorded.feedback || undefined,
      reviewer: recorded.actor ?? reviewer,
      time: event?.timeUnixNano,
    }
  })
}

const REVIEWER = { reviewer: planFields.reviewer }
