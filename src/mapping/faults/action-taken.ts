import { ATTR, decodeFields, guardrailFields } from '../../semconv/index.js'
import { callsOf, type CallList } from './cycle-calls.js'
import type { SpanNode } from '../tree/index.js'

const { actionTaken, actionName, actionCallId, actionIndex } = guardrailFields
const TOLD = { actionTaken, actionName, actionCallId, actionIndex }

/**
 * Whether the action that a guardrail judged was taken; undefined where that is not known. The rules in
 * their order:
 *
 * 1. what the guardrail's own span says;
 * 2. a tool call that says that this guardrail checked it was taken;
 * 3. of a judged call with an id the cycle has it or, once it is over, has not;
 * 4. of a judged call of a tool that the cycle makes one from then on, or has made none;
 * 5. of an imported assessment, whose times and order tell nothing, no more is known, nor of a call that it lacks;
 * 6. otherwise a guardrail judges the tool calls of its cycle that start after it and name no guardrail of their own;
 * 7. a cycle that is over without any tool call took no action.
 */
export function isActionTaken(guardrail: SpanNode): boolean | undefined {
  const { actionTaken, actionName, actionCallId } = decodeFields(TOLD, guardrail.span.attributes)
  if (actionTaken !== undefined) return actionTaken
  const judged = judgement(guardrail)
  if (judged?.calls.firstMade(judged.from)) return true
  const cycle = guardrail.parent
  const isImported = guardrail.span.attributes[ATTR.timeSynthetic] === 'true'
  const isOver = cycle?.role === 'think_act' && !cycle.span.pending && !isImported
  const isTold = actionCallId !== undefined || actionName !== undefined
  return judged && isOver && (isTold || !callsOf(cycle).all.firstMade()) ? false : undefined
}

/**
 * The tool calls of its cycle that a guardrail judged, by the rules 2 to 6, with those that were stopped where they are
 * shown; undefined where that is not known.
 */
export function judgedCalls(guardrail: SpanNode): SpanNode[] | undefined {
  const judged = judgement(guardrail)
  return judged?.calls.from(judged.from)
}

/** The first tool call that a guardrail judged and that was made. */
export function madeCall(guardrail: SpanNode): SpanNode | undefined {
  const judged = judgement(guardrail)
  return judged?.calls.firstMade(judged.from)
}

/** The calls that a guardrail judged: those of a list, where it is told those from a time on. */
function judgement(guardrail: SpanNode): { readonly calls: CallList; readonly from?: bigint } | undefined {
  const { attributes, spanId, startTimeUnixNano: from } = guardrail.span
  const { actionName, actionCallId, actionIndex } = decodeFields(TOLD, attributes)
  const calls = callsOf(guardrail.parent)
  const guarded = calls.guardedBy(spanId)
  if (guarded) return { calls: guarded }
  if (actionCallId !== undefined) return { calls: calls.withId(actionCallId) }
  if (actionName !== undefined) return { calls: calls.ofTool(actionName), from }
  if (actionIndex !== undefined || attributes[ATTR.timeSynthetic] === 'true') return undefined
  return { calls: calls.unguarded, from }
}
