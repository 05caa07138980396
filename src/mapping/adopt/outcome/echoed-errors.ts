import { ATTR } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { hasAnswer, responds } from './own-answers.js'
import { hasRaised } from './span-failure.js'

/**
 * Removes the errors that spans repeat from an earlier one: some span processors give an error to all spans that end
 * later. A span repeats an error if it has its message, but neither an exception nor a class of its own, if all spans
 * of its scope that ended after the error have errors, and if it began after the error, or has an answer and a later
 * model call succeeded.
 */
export function removeEchoes(nodes: readonly AdoptNode[]): void {
  const raised = new Map<string, bigint>()
  const lastWithout = new Map<string, bigint>()
  for (const node of nodes) {
    const { scopeName, statusCode, statusMessage, endTimeUnixNano: end } = node.span
    if (statusCode !== 'ERROR') {
      if (end > (lastWithout.get(scopeName) ?? -1n)) lastWithout.set(scopeName, end)
    } else if (statusMessage !== '' && hasRaised(node)) {
      const known = raised.get(errorKey(node))
      if (known === undefined || end < known) raised.set(errorKey(node), end)
    }
  }
  if (raised.size === 0) return
  const lastAnswer = nodes
    .filter((node) => node.kind === 'llm' && responds(node))
    .reduce((last, { span: { startTimeUnixNano: start } }) => (start > last ? start : last), -1n)
  for (const node of nodes) {
    const at = mayRepeat(node) ? raised.get(errorKey(node)) : undefined
    if (at === undefined || (lastWithout.get(node.span.scopeName) ?? -1n) > at) continue
    const isLater = node.span.startTimeUnixNano >= at
    if (isLater || (lastAnswer >= at && hasAnswer(node)))
      node.span = { ...node.span, statusCode: 'UNSET', statusMessage: '' }
  }
}

const errorKey = ({ span }: AdoptNode): string => `${span.scopeName}\n${span.statusMessage}`

const mayRepeat = (node: AdoptNode): boolean =>
  node.own === undefined &&
  node.span.statusCode === 'ERROR' &&
  node.span.attributes[ATTR.errorType] === undefined &&
  !hasRaised(node)
