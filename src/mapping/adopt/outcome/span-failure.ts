import { ATTR, EVENTS } from '../../../semconv/index.js'
import { errorsOf, type SpanError } from '../../tree/index.js'
import { meets } from '../kind-of.js'
import { factOfNode } from '../values/node-facts.js'
import type { AdoptNode } from '../adopt-node.js'
import { factOf } from '../values/fact-place.js'
import { ERROR_TEXT, FAILURES, TOOL_RESULT } from '../values/fact-places.js'
import { isRefusalUntilAllowed } from '../waits/asked-of-person.js'
import { errorIn, saysError, toolResult } from '../values/tool-values.js'

/**
 * Returns the error message of a failed span that has none in `planspan.error.message`, an exception event or its
 * status. A span that failed without any text or class gets the message `failed`.
 */
export function failureOf(node: AdoptNode): Record<string, string> {
  const { attributes, events, statusCode, statusMessage } = node.span
  if (attributes[ATTR.errorMessage]) return {}
  if (!recordsFailure(node) && !hasRaised(node)) {
    const inner = failedTwin(node)
    if (!inner) return {}
    const { type, message } = errorOf(inner) ?? {}
    const said = message ?? toolResult(factOfNode(node, TOOL_RESULT)) ?? 'failed'
    return { [ATTR.errorMessage]: said, ...(type !== undefined && { [ATTR.errorType]: type }) }
  }
  const raised = events.filter(({ name }) => name === EVENTS.exception)
  if (raised.some((event) => event.attributes[ATTR.exceptionMessage])) return {}
  const isError = statusCode === 'ERROR'
  const said = factOf(node.span, ERROR_TEXT)
  // A status text may repeat the class.
  if (said === undefined && isError && statusMessage !== '' && statusMessage !== attributes[ATTR.errorType]) return {}
  const isRecorded = isError || raised.length > 0 || ATTR.errorType in attributes
  const message = said ?? failedResult(node) ?? (statusMessage || (isRecorded ? undefined : 'failed'))
  return message === undefined ? {} : { [ATTR.errorMessage]: message }
}

/** Returns the error of a failed span, from all places where its convention may write it. */
export function errorOf(node: AdoptNode): SpanError | undefined {
  const { span } = node
  return errorsOf({ span: { ...span, attributes: { ...span.attributes, ...failureOf(node) } } }).at(-1)
}

/** Returns the result of a failed tool call. If the status is an error, the result must be an error, too. */
function failedResult(node: AdoptNode): string | undefined {
  const result = node.kind === 'tool' ? factOfNode(node, TOOL_RESULT) : undefined
  return errorIn(result) ?? (node.span.statusCode === 'ERROR' ? undefined : toolResult(result))
}

/** Whether a span failed, by any sign that its convention has for failures, or its last record below it. */
export const isFailed = (node: AdoptNode): boolean => saysFailed(node) || hasRaised(node)

/** Whether a span says that it failed. For a call an exception is enough. A plan, agent or cycle may handle one. */
export const saysFailed = (node: AdoptNode): boolean =>
  recordsFailure(node) || (!HANDLES.has(node.kind) && hasRaised(node)) || failedTwin(node) !== undefined

const HANDLES: ReadonlySet<string> = new Set(['plan', 'agent', 'think_act'])

/** Whether a span recorded an exception. */
export const hasRaised = ({ span }: AdoptNode): boolean => span.events.some(({ name }) => name === EVENTS.exception)

function recordsFailure(node: AdoptNode): boolean {
  const { attributes, statusCode } = node.span
  return (
    statusCode === 'ERROR' ||
    Object.entries(FAILURES).some(([key, expected]) => meets(attributes[key], expected)) ||
    (node.kind === 'tool' && isFailedResult(factOfNode(node, TOOL_RESULT)))
  )
}

const isFailedResult = (result: string | undefined): boolean => saysError(result) && !isRefusalUntilAllowed(result)

/**
 * Returns the last record of a tool call if that failed: a caller may catch the error, and give it to the model as the
 * result. Earlier records are attempts.
 */
function failedTwin({ kind, twins }: AdoptNode): AdoptNode | undefined {
  if (kind !== 'tool' || twins.length === 0) return undefined
  const last = twins.reduce((a, b) => (b.span.endTimeUnixNano > a.span.endTimeUnixNano ? b : a))
  const record: AdoptNode = { ...last, kind, twins: [] }
  return recordsFailure(record) || hasRaised(record) ? record : undefined
}
