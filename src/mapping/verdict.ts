import { ATTR, ROLES, type Role, type Verdict } from '../semconv/index.js'
import { nearest, walk, type SpanNode } from './tree.js'

/** How many children of each role a span has, as its own final row says. */
export const childrenKey = (role: Role): string => `${ATTR.childrenPrefix}${role}`

/** What is missing below a node, in words, one entry a gap. */
export function missingSpans(root: SpanNode): string[] {
  const missing: string[] = []
  for (const node of walk(root)) {
    if (node.orphan && node !== root) missing.push(`the parent ${node.span.parentSpanId} of "${node.span.name}"`)
    for (const role of node.role === undefined ? [] : ROLES) {
      const told = Number(node.span.attributes[childrenKey(role)] ?? 0)
      const stored = told > 0 ? nearest(node, role).filter((child) => !child.orphan).length : 0
      if (stored < told) missing.push(`${told - stored} of ${told} ${role} spans below "${node.span.name}"`)
    }
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
