import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { isLogEvent } from '../tree/index.js'
import { isAgentLog } from './agent-logs/log-spans.js'
import { guessOf } from './guess/guess.js'
import { isUnread, kindRuleOf } from './kind-of.js'
import type { PlanEnd } from './waits/plan-ends.js'
import { placeSpans } from './place-spans.js'
import { writeSpans } from './write-spans.js'

export { explainTrace, type SpanReading } from './explain.js'
export type { Place } from './values/fact-place.js'
export { CODING_AGENTS, PROMPT_KEYS, SESSION_KEYS } from './agent-logs/coding-agents.js'
export { sourcesOf } from './sources.js'
export type { PlanEnd } from './waits/plan-ends.js'
export { isGuardrail, isPlanLike } from './kind-of.js'
export { CONVENTIONS } from './kind-rules.js'
export type { Convention, Kind, KindRule } from './kind.js'

/**
 * Rewrites the rows of other instrumentations in planspan's conventions: plans, agents, cycles, model calls and tool
 * calls get planspan's attributes and their place in the tree, and missing plan, agent and cycle spans are derived.
 * Planspan's own rows stay unchanged, except that values which a call or an agent lacks are taken from another
 * instrumentation. Spans that cannot be understood are marked as gaps.
 */
export const adopt = (rows: Iterable<StoredSpan>): readonly StoredSpan[] => adoptTraces(rows).spans

/** Adopted spans, and the ends at which the plans of other traces may be joined with theirs. */
export interface AdoptedTraces {
  readonly spans: readonly StoredSpan[]
  readonly ends: readonly PlanEnd[]
}

/** Does the same as `adopt` for a trace and those that continue its plan. */
export function adoptTraces(rows: Iterable<StoredSpan>): AdoptedTraces {
  const all = [...rows]
  if (!all.some(isForeign)) return { spans: all, ends: [] }
  const placed = placeSpans(all)
  return { spans: writeSpans(placed), ends: placed.ends }
}

/** Whether a row comes from another instrumentation and has, or may have, a role in a plan. */
export const isForeign = (span: StoredSpan): boolean =>
  span.attributes[ATTR.spanKind] === undefined && (isAgentLog(span) || (!isLogEvent(span) && hasMeaning(span)))

const hasMeaning = (span: StoredSpan): boolean =>
  kindRuleOf(span) !== undefined || isUnread(span) || guessOf(span)?.kind === 'generation'
