import {
  ATTR,
  decodeFields,
  guardrailFields,
  isData,
  parseJson,
  type StoredSpan,
  toolFields,
} from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'

/** A tool call, or the call that a guardrail judged, as far as it is recorded. */
export interface Action {
  /** The tool. */
  readonly name?: string | undefined
  readonly callId?: string | undefined
  readonly arguments?: string | undefined
}

const { name, callId, arguments: given } = toolFields
const CALL = { name, callId, arguments: given }
const { actionName, actionCallId, actionArguments } = guardrailFields
const JUDGED = { name: actionName, callId: actionCallId, arguments: actionArguments }

/** Returns the action that a tool call is, or that a guardrail judged. */
export const actionOf = ({ role, span }: SpanNode): Action =>
  decodeFields(role === 'guardrail' ? JUDGED : CALL, span.attributes)

/** Whether a guardrail names its action by arguments, which are found only in the content of tool calls. */
export const isJudgedByArguments = ({ attributes }: Pick<StoredSpan, 'attributes'>): boolean =>
  attributes[ATTR.spanKind] === 'guardrail' &&
  ATTR.riskActionArguments in attributes &&
  !(ATTR.riskActionCallId in attributes)

/**
 * Returns a text that is equal for actions with the same tool and equal arguments: for JSON without regard to its space
 * and the order of its keys. Other text is compared as it is.
 */
export const actionKey = ({ name, arguments: data }: Action): string =>
  JSON.stringify([name ?? null, data === undefined ? null : (parseJson(data) ?? data)], inOrder)

/** Sorts the keys of objects for `JSON.stringify`. */
const inOrder = (_key: string, value: unknown): unknown =>
  isData(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
