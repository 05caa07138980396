import { ATTR, decodeFields, EVENTS, reviewFields } from '../../semconv/index.js'
import { itemsOf, tryParseJson } from '../json/index.js'
import type { FoldedSpan } from './fold.js'

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
