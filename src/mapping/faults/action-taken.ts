import { ATTR, decodeFields, guardrailFields, isUnsafe } from '../../semconv/index.js'
import { ancestors, type SpanNode } from '../tree/index.js'
import { actionOf } from './action.js'
import { CallList } from './call-list.js'
import { callsOf } from './cycle-calls.js'
import type { CallsInPlace } from './place-calls.js'

const { actionTaken, actionIndex } = guardrailFields
const RECORDED = { actionTaken, actionIndex }

/**
 * Returns whether the action that a guardrail judged was taken. Undefined if unknown. The rules, in order:
 * 1. The guardrail's own span records it.
 * 2. A guardrail that ran inside of a tool call judged that call: it was taken if it was found safe, and unknown
 *    otherwise, because the call may have ended without the action.
 * 3. A call that the guardrail judged, by `evidenceOf`, was made.
 * 4. For an imported assessment, times and order are not recorded, so nothing more is known about a missing call.
 * 5. If the guardrail names its action: the cycle is over without it.
 * 6. A cycle that is over without any tool call took no action.
 */
export function isActionTaken(guardrail: SpanNode): boolean | undefined {
  const { attributes } = guardrail.span
  const { actionTaken } = decodeFields(RECORDED, attributes)
  if (actionTaken !== undefined) return actionTaken
  const judged = evidenceOf(guardrail)
  if (!judged) return undefined
  const { place, within: around } = judged
  if (place.calls.firstMade(place)) return around?.role === 'tool' && isUnsafe(attributes) ? undefined : true
  const isOver = around?.role === 'think_act' && !around.span.pending && attributes[ATTR.timeSynthetic] !== 'true'
  const { name, callId } = actionOf(guardrail)
  const namesAction = name !== undefined || callId !== undefined
  return isOver && (namesAction || !callsOf(around).all.firstMade()) ? false : undefined
}

/** Returns the tool calls that a guardrail judged, made or stopped. Undefined if unknown. */
export function judgedCalls(guardrail: SpanNode): SpanNode[] | undefined {
  const place = evidenceOf(guardrail)?.place
  return place?.calls.within(place)
}

/** Returns the first tool call that a guardrail judged and that was made. */
export function madeCall(guardrail: SpanNode): SpanNode | undefined {
  const place = evidenceOf(guardrail)?.place
  return place?.calls.firstMade(place)
}

interface Evidence {
  readonly place: CallsInPlace
  /** The cycle, the tool call or the agent that the guardrail ran in. */
  readonly within: SpanNode | undefined
}

/**
 * Returns the calls that a guardrail judged, by the first evidence that exists: the calls that name the guardrail, the
 * id of the call, the call that it ran inside of, its tool and arguments, its position among the calls of its cycle.
 * Undefined without evidence: an imported assessment has no position.
 */
function evidenceOf(guardrail: SpanNode): Evidence | undefined {
  const { attributes, spanId } = guardrail.span
  const within = placeOf(guardrail)
  const calls = callsOf(within)
  const { name, callId } = actionOf(guardrail)
  const found = (list: CallList): Evidence => ({ place: { calls: list }, within })
  const guarded = calls.guardedBy(spanId)
  if (guarded) return found(guarded)
  if (callId !== undefined) return found(calls.withId(callId))
  if (within?.role === 'tool') return found(new CallList([within]))
  const hasPosition =
    attributes[ATTR.timeSynthetic] !== 'true' && decodeFields(RECORDED, attributes).actionIndex === undefined
  if (name === undefined && !hasPosition) return undefined
  const place = calls.placeOf(guardrail)
  return place && { place, within }
}

/** Returns the nearest span above a guardrail, except model calls and other guardrails. */
function placeOf(guardrail: SpanNode): SpanNode | undefined {
  for (const above of ancestors(guardrail)) {
    if (above.role !== undefined && above.role !== 'llm' && above.role !== 'guardrail') return above
  }
  return undefined
}
