import { ATTR, type Verdict } from '../semconv/index.js'
import { walk, type SpanNode } from './tree.js'

/** What is missing below a node, in words, one entry a gap. */
export function missingSpans(root: SpanNode): string[] {
  const missing: string[] = []
  for (const node of walk(root)) {
    if (node.orphan && node !== root) missing.push(`the parent ${node.span.parentSpanId} of "${node.span.name}"`)
    missing.push(...node.gaps)
  }
  return missing
}

/** Whether values below a node were left out or masked on purpose. */
export function isRedacted(root: SpanNode): boolean {
  for (const { span } of walk(root)) {
    const fields = span.attributes[ATTR.redactedFields]
    if (fields !== undefined && fields !== '[]' && fields !== '') return true
  }
  return false
}

/** The verdict on a rebuilt record: spans missing before values left out, those before an unexplained difference. */
export function verdictOf(facts: { missing: boolean; redacted: boolean; altered: boolean }): Verdict {
  if (facts.missing) return 'partial'
  if (facts.redacted) return 'redacted'
  return facts.altered ? 'altered' : 'complete'
}
