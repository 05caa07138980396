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
 * 5. of an imported assessment, whose times and order tell nothing, no more is known;
 * 6. otherwise a guardrail judges the tool calls of its cycle that start after it and name no guardrail of their own;
 * 7. a cycle that is over without any tool call took no action.
 */
export function isActionTaken(guardrail: SpanNode): boolean | undefined {
  const { actionTaken, actionName, actionCallId, actionIndex } = decodeFields(
    guardrailFields,
    guardrail.span.attributes,
  )
  if (actionTaken !== undefined) return actionTaken
  const cycle = guardrail.parent
  const calls = cycle ? nearest(cycle, 'tool').filter((call) => !isNotTaken(call)) : []
  if (calls.some((call) => guardsOf(call).includes(guardrail.span.spanId))) return true
  const isOver = cycle?.role === 'think_act' && !cycle.span.pending
  const otherwise = isOver ? false : undefined
  const later = calls.filter(({ span }) => span.startTimeUnixNano >= guardrail.span.startTimeUnixNano)
  if (actionCallId !== undefined) return calls.some((call) => toolOf(call).callId === actionCallId) || otherwise
  if (actionName !== undefined) return later.some((call) => toolOf(call).name === actionName) || otherwise
  if (actionIndex !== undefined || guardrail.span.attributes[ATTR.timeSynthetic] === 'true') return undefined
  if (later.some((call) => guardsOf(call).length === 0)) return true
  return calls.length === 0 ? otherwise : undefined
}

const toolOf = ({ span }: SpanNode) => decodeFields(CALL, span.attributes)
const { name, callId } = toolFields
const CALL = { name, callId }

/** The guardrails that a tool call says checked it. */
const guardsOf = ({ span }: SpanNode): string[] =>
  span.links.filter(({ attributes }) => attributes[ATTR.linkType] === LINK_TYPES.guards).map(({ spanId }) => spanId)

/** Whether a tool call was proposed and never made, because a guardrail stopped it. */
export const isNotTaken = ({ span }: SpanNode): boolean => span.attributes[ATTR.riskActionTaken] === 'false'
