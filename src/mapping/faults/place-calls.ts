import { appendTo } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import { compare, type SpanNode } from '../tree/index.js'
import { type Action, actionKey, actionOf } from './action.js'
import { CallList, type StartRange } from './call-list.js'

/** Calls, and the range of those that a guardrail judged. */
export interface CallsInPlace extends StartRange {
  readonly calls: CallList
}

/**
 * Assigns the calls of a cycle to its guardrails by their order: a guardrail judged the calls that start after it, up
 * to the next judgement of the same kind. Of several judgements before the next call, each judged one call, if they are
 * as many as the calls. Otherwise what they judged is unknown, and they are left out.
 */
export function placeCalls(
  guardrails: readonly SpanNode[],
  callsFitting: (action: Action) => CallList,
): ReadonlyMap<SpanNode, CallsInPlace> {
  const kinds = new Map<string, SpanNode[]>()
  for (const guardrail of guardrails) if (!isStopped(guardrail)) appendTo(kinds, kindOf(guardrail), guardrail)
  const places = new Map<SpanNode, CallsInPlace>()
  for (const alike of kinds.values()) {
    const calls = callsFitting(actionOf(alike[0] as SpanNode))
    const inOrder = alike.toSorted((a, b) => compare(startOf(a), startOf(b)))
    let judgements: SpanNode[] = []
    for (const [at, guardrail] of inOrder.entries()) {
      judgements.push(guardrail)
      const next = inOrder[at + 1]
      const range = { from: startOf(guardrail), until: next && startOf(next) }
      if (next && calls.count(range) === 0) continue
      const found = callsInPlace(judgements.length, calls, range)
      for (const [place, judgement] of judgements.entries()) {
        const own = found[place] ?? found[0]
        if (own) places.set(judgement, own)
      }
      judgements = []
    }
  }
  return places
}

/** Returns the calls in a range for each of some judgements, the same calls for all, or no calls if that is unknown. */
function callsInPlace(judgements: number, calls: CallList, range: StartRange): CallsInPlace[] {
  const count = calls.count(range)
  if (judgements === 1 || count === 0) return [{ calls, ...range }]
  return count === judgements ? calls.byStart(range).map((call) => ({ calls: new CallList([call]) })) : []
}

/** A guardrail that stopped its action judged none of the calls. */
const isStopped = ({ span }: SpanNode): boolean => span.attributes[ATTR.riskActionTaken] === 'false'

/** Judgements are alike if they have the same guardrail and the same action. */
const kindOf = (guardrail: SpanNode): string =>
  JSON.stringify([guardrail.span.attributes[ATTR.guardrailName] ?? null, actionKey(actionOf(guardrail))])

const startOf = ({ span }: SpanNode): bigint => span.startTimeUnixNano
