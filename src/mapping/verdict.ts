import { append } from '../append.js'
import { ATTR, type Verdict } from '../semconv/index.js'
import { walk, type SpanNode } from './tree.js'

/** The gaps at and below a node, in words, an entry each. */
export function missingSpans(root: SpanNode): string[] {
  const missing: string[] = []
  for (const node of walk(root)) {
    if (node.orphan && node !== root) missing.push(`the parent ${node.span.parentSpanId} of "${node.span.name}"`)
    append(missing, node.gaps)
  }
  return missing
}

/** The values at and below a node that programs could not send, in words, an entry for each span. */
export function droppedValues(root: SpanNode): string[] {
  return [...walk(root)].flatMap(({ span }) => {
    const count = span.attributes[ATTR.dropped] ?? '0'
    return count === '0' ? [] : [`${count} value${count === '1' ? '' : 's'} of "${span.name}", which could not be sent`]
  })
}

/** Whether values below a node were left out or masked on purpose. */
export function isRedacted(root: SpanNode): boolean {
  for (const { span } of walk(root)) {
    const fields = span.attributes[ATTR.redactedFields]
    if (fields !== undefined && fields !== '[]' && fields !== '') return true
  }
  return false
}

/**
 * The verdict on a rebuilt record: what is missing before values left out on purpose, those before an unexplained
 * difference.
 */
export function verdictOf(facts: { missing: boolean; redacted: boolean; altered: boolean }): Verdict {
  if (facts.missing) return 'partial'
  if (facts.redacted) return 'redacted'
  return facts.altered ? 'altered' : 'complete'
}
