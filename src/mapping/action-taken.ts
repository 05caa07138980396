import { ATTR, decodeFields, guardrailFields, LINK_TYPES, toolFields } from '../semconv/index.js'
import { nearest, type SpanNode } from './tree.js'

/**
 * Whether the action that a guardrail judged was taken; undefined where that is not known. The view `risks` decides by
 * the same rules, in this order:
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
  const { actionTaken, actionName, actionCallId } = decodeFields(guardrailFields, guardrail.span.attributes)
  if (actionTaken !== undefined) return actionTaken
  const judged = judgedCalls(guardrail)
  if (judged?.some((call) => !isNotTaken(call))) return true
  const cycle = guardrail.parent
  const isImported = guardrail.span.attributes[ATTR.timeSynthetic] === 'true'
  const isOver = cycle?.role === 'think_act' && !cycle.span.pending && !isImported
  const isTold = actionCallId !== undefined || actionName !== undefined
  return judged && isOver && (isTold || !callsOf(cycle).some((call) => !isNotTaken(call))) ? false : undefined
}

/**
 * The tool calls of its cycle that a guardrail judged, by the rules 2 to 6, with those that were stopped where they are
 * shown; undefined where that is not known.
 */
export function judgedCalls(guardrail: SpanNode): SpanNode[] | undefined {
  const { attributes, spanId, startTimeUnixNano } = guardrail.span
  const { actionName, actionCallId, actionIndex } = decodeFields(guardrailFields, attributes)
  const calls = callsOf(guardrail.parent)
  const guarded = calls.filter((call) => guardsOf(call).includes(spanId))
  if (guarded.length > 0) return guarded
  if (actionCallId !== undefined) return calls.filter((call) => toolOf(call).callId === actionCallId)
  const later = calls.filter(({ span }) => span.startTimeUnixNano >= startTimeUnixNano)
  if (actionName !== undefined) return later.filter((call) => toolOf(call).name === actionName)
  if (actionIndex !== undefined || attributes[ATTR.timeSynthetic] === 'true') return undefined
  return later.filter((call) => guardsOf(call).length === 0)
}

const callsOf = (cycle: SpanNode | undefined): SpanNode[] => (cycle ? nearest(cycle, 'tool') : [])

/** The name and id of a tool call. */
export const toolOf = ({ span }: SpanNode) => decodeFields(CALL, span.attributes)
const { name, callId } = toolFields
const CALL = { name, callId }

/** The guardrails that a tool call says checked it. */
const guardsOf = ({ span }: SpanNode): string[] =>
  span.links.filter(({ attributes }) => attributes[ATTR.linkType] === LINK_TYPES.guards).map(({ spanId }) => spanId)

/** Whether a tool call was proposed and never made, because a guardrail stopped it. */
export const isNotTaken = ({ span }: SpanNode): boolean => span.attributes[ATTR.riskActionTaken] === 'false'
