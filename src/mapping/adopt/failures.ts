import { ATTR, EVENTS } from '../../semconv/index.js'
import { meets } from './kind-of.js'
import { toldBy } from './names.js'
import type { AdoptNode } from './node.js'
import { factOf } from './place.js'
import { ERROR_TEXT, FAILURES, TOOL_RESULT } from './places.js'
import { saysError, toolResult } from './tool-values.js'

/** How a span says that it failed, where its status does not. */
export function failureOf(node: AdoptNode): Record<string, string> {
  const { span } = node
  if (span.statusCode === 'ERROR' || !isFailed(node)) return {}
  const raised = span.events.some(({ name }) => name === EVENTS.exception)
  const said = factOf(span, ERROR_TEXT) ?? (node.kind === 'tool' ? toolResult(toldBy(node, TOOL_RESULT)) : undefined)
  return raised ? {} : { [ATTR.errorMessage]: said ?? (span.statusMessage || 'failed') }
}

/** Whether a span failed, whichever way its convention has to say so. */
export function isFailed(node: AdoptNode): boolean {
  const { attributes, events, statusCode } = node.span
  return (
    statusCode === 'ERROR' ||
    events.some(({ name }) => name === EVENTS.exception) ||
    Object.entries(FAILURES).some(([key, expected]) => meets(attributes[key], expected)) ||
    (node.kind === 'tool' && saysError(toldBy(node, TOOL_RESULT)))
  )
}
