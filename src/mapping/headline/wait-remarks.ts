import { decodeFields, waitFields, type WaitReason } from '../../semconv/index.js'
import { endOf, isAwaited, oneLine, type SpanNode } from '../tree/index.js'
import { othersText, type Remark } from './remark.js'

const { reason, title, formDescription, toolName } = waitFields
const ASKED = { reason, title, formDescription, toolName }

const REQUESTS: Readonly<Record<string, string>> = {
  form_input: 'asks for input',
  plan_review: 'asks for a review of the plan',
  tool_approval: 'asks for approval',
} satisfies Record<WaitReason, string>

/** Returns the waits that need an answer, the longest first. A wait counts from its last update. */
export const openWaits = (nodes: readonly SpanNode[]): SpanNode[] =>
  nodes.filter((node) => node.role === 'wait' && isAwaited(node)).sort((a, b) => Number(endOf(a.span) - endOf(b.span)))

/** Describes the wait that has lasted longest, and counts the others. */
export function waitRemarks(nodes: readonly SpanNode[]): Remark[] {
  const [longest, ...others] = openWaits(nodes)
  if (!longest) return []
  const { reason = '', title, formDescription, toolName } = decodeFields(ASKED, longest.span.attributes)
  const request = `${REQUESTS[reason] ?? 'waits for a person'}${toolName ? ` of ${toolName}` : ''}`
  const about = oneLine(title || formDescription || '')
  const text = about && about !== toolName ? `${request}: ${about}` : request
  return [{ kind: 'wait', text: text + othersText(others.length, 'wait'), node: longest }]
}
