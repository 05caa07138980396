import { ATTR, decodeFields, guardrailFields } from '../../semconv/index.js'
import { callsOf, type CallList } from './cycle-calls.js'
import type { SpanNode } from '../tree/index.js'

const { actionTaken, actionName, actionCallId, actionIndex } = guardrailFields
const JUDGED_ACTION = { actionTaken, actionName, actionCallId, actionIndex }

/**
 * Returns whether the action that a guardrail judged was taken. Undefined if unknown. The rules, in order:
 * 1. The guardrail's own span records it.
 * 2. A tool call that names this guardrail was taken.
 * 3. If the guardrail names a call id: the call is in the cycle, or the cycle is over without it.
 * 4. If the guardrail names a tool: the cycle calls the tool from then on, or is over without calling it.
 * 5. For an imported assessment, times and order are not recorded, so nothing more is known, nor about a call that is
 *    missing.
 * 6. Otherwise a guardrail judges the tool calls of its cycle that start after it and name no guardrail.
 * 7. A cycle that is over without any tool call took no action.
 */
export function isActionTaken(guardrail: SpanNode): boolean | undefined {
  const { actionTaken, actionName, actionCallId } = decodeFields(JUDGED_ACTION, guardrail.span.attributes)
  if (actionTaken !== undefined) return actionTaken
  const judged = judgement(guardrail)
  if (judged?.calls.firstMade(judged.from)) return true
  const cycle = guardrail.parent
  const isImported = guardrail.span.attributes[ATTR.timeSynthetic] === 'true'
  const isOver = cycle?.role === 'think_act' && !cycle.span.pending && !isImported
  const namesAction = actionCallId !== undefined || actionName !== undefined
  return judged && isOver && (namesAction || !callsOf(cycle).all.firstMade()) ? false : undefined
}

/**
 * Returns the tool calls of its cycle that a guardrail judged, by rules 2 to 6. Includes stopped calls that are part of
 * the tree. Undefined if unknown.
 */
export function judgedCalls(guardrail: SpanNode): SpanNode[] | undefined {
  const judged = judgement(guardrail)
  return judged?.calls.from(judged.from)
}

/** Returns the first tool call that a guardrail judged and that was made. */
export function madeCall(guardrail: SpanNode): SpanNode | undefined {
  const judged = judgement(guardrail)
  return judged?.calls.firstMade(judged.from)
}

/** The calls that a guardrail judged: those in `calls` that start at `from` or later. */
function judgement(guardrail: SpanNode): { readonly calls: CallList; readonly from?: bigint } | undefined {
  const { attributes, spanId, startTimeUnixNano: from } = guardrail.span
  const { actionName, actionCallId, actionIndex } = decodeFields(JUDGED_ACTION, attributes)
  const calls = callsOf(guardrail.parent)
  const guarded = calls.guardedBy(spanId)
  if (guarded) return { calls: guarded }
  if (actionCallId !== undefined) return { calls: calls.withId(actionCallId) }
  if (actionName !== undefined) return { calls: calls.ofTool(actionName), from }
  if (actionIndex !== undefined || attributes[ATTR.timeSynthetic] === 'true') return undefined
  return { calls: calls.unguarded, from }
}
