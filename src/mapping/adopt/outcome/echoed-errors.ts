import { ATTR } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { hasAnswer, responds } from './own-answers.js'
import { hasRaised } from './span-failure.js'

/**
 * Removes the errors that spans repeat from an earlier one: some span processors give an error to all spans of the
 * trace that end later. A span repeats an error if it has its message, but neither an exception nor a class of its own,
 * and if it began after the error, or has an answer and a later model call succeeded.
 */
export function removeEchoes(nodes: readonly AdoptNode[]): void {
  const raised = new Map<string, bigint>()
  for (const node of nodes) {
    const { statusCode, statusMessage, endTimeUnixNano } = node.span
    if (statusCode !== 'ERROR' || statusMessage === '' || !hasRaised(node)) continue
    const known = raised.get(statusMessage)
    if (known === undefined || endTimeUnixNano < known) raised.set(statusMessage, endTimeUnixNano)
  }
  if (raised.size === 0) return
  const answered = nodes
    .filter((node) => node.kind === 'llm' && responds(node))
    .map(({ span }) => span.startTimeUnixNano)
  const lastAnswer = answered.reduce((last, time) => (time > last ? time : last), -1n)
  for (const node of nodes) {
    const at = repeated(node) ? raised.get(node.span.statusMessage) : undefined
    if (at === undefined) continue
    const isLater = node.span.startTimeUnixNano >= at
    if (isLater || (lastAnswer >= at && hasAnswer(node)))
      node.span = { ...node.span, statusCode: 'UNSET', statusMessage: '' }
  }
}

const repeated = (node: AdoptNode): boolean =>
  node.own === undefined &&
  node.span.statusCode === 'ERROR' &&
  node.span.attributes[ATTR.errorType] === undefined &&
  !hasRaised(node)
