import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { isUnread, kindRuleOf } from './kind-of.js'
import { placeSpans } from './place-spans.js'
import { writeSpans } from './write-spans.js'

export { explainTrace, type SpanReading } from './explain.js'
export type { Place } from './fact-place.js'
export { isGuardrail, isPlanLike } from './kind-of.js'
export { CONVENTIONS } from './kind-rules.js'
export type { Convention, Kind, KindRule } from './kind.js'

/**
 * Rewrites the rows of other instrumentations in planspan's conventions: plans, agents, cycles, model calls and tool
 * calls get planspan's attributes and their place in the tree, and missing plan, agent and cycle spans are derived.
 * Planspan's own rows stay unchanged, except that values which a call or an agent lacks are taken from another
 * instrumentation. Spans that cannot be understood are marked as gaps.
 */
export function adopt(rows: Iterable<StoredSpan>): readonly StoredSpan[] {
  const all = [...rows]
  return all.some(isForeign) ? writeSpans(placeSpans(all)) : all
}

/** Whether a row comes from another instrumentation and has, or may have, a role in a plan. */
export const isForeign = (span: StoredSpan): boolean =>
  span.attributes[ATTR.spanKind] === undefined && (kindRuleOf(span) !== undefined || isUnread(span))
