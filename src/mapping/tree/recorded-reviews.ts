import { ATTR, decodeFields, EVENTS, reviewFields } from '../../semconv/index.js'
import { itemsOf, tryParseJson } from '../json/index.js'
import type { FoldedSpan } from './fold.js'

/**
 * Returns a plan's reviews as a JSON list: the list that the plan recorded or, if it is missing or truncated, the list
 * built from its review events.
 */
export function reviewLogOf({ attributes, events }: Pick<FoldedSpan, 'attributes' | 'events'>): string | undefined {
  const log = attributes[ATTR.reviewLog]
  if (log !== undefined && itemsOf(tryParseJson(log)).length > 0) return log
  const recorded = events.filter(({ name }) => name === EVENTS.review).map((event) => reviewOf(event.attributes))
  return recorded.length > 0 ? JSON.stringify(recorded) : log
}

function reviewOf(attributes: Readonly<Record<string, string>>): object {
  const { attempt, action, feedback } = decodeFields(reviewFields, attributes)
  return { attempt, action, feedback }
}
