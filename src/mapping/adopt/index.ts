import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { isUnread, kindRuleOf } from './kind-of.js'
import { placeSpans } from './place-spans.js'
import { writeSpans } from './write-spans.js'

export { explainTrace, type SpanReading } from './explain.js'
export type { Place } from './fact-place.js'
export { isPlanLike } from './kind-of.js'
export { CONVENTIONS } from './kind-rules.js'
export type { Convention, Kind, KindRule } from './kind.js'

/**
 * The rows of one trace with what other instrumentations tell of plans, agents, cycles, model and tool calls in
 * planspan's own conventions: the same attributes, each span below what it is part of, and the plan, agent and cycle
 * spans that nobody sent. Rows of planspan's own stay as they are, but for what a call or an agent lacks and another
 * instrumentation tells of it. What is not understood is said to be a gap.
 */
export function adopt(rows: Iterable<StoredSpan>): readonly StoredSpan[] {
  const all = [...rows]
  return all.some(isForeign) ? writeSpans(placeSpans(all)) : all
}

/** Whether a row is of another instrumentation and stands for something in a plan, or might. */
export const isForeign = (span: StoredSpan): boolean =>
  span.attributes[ATTR.spanKind] === undefined && (kindRuleOf(span) !== undefined || isUnread(span))
