import { append } from '../../../base/append.js'
import { ROLES, type Role } from '../../../semconv/index.js'
import type { SpanDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode } from '../../json/index.js'
import { bySeq, type SpanNode } from '../../tree/index.js'
import { readSpan, spanObject, type SpanObject } from './span-object.js'

/** The nodes below a span: spans without a key in the format, and embedded trajectories. */
export interface Below {
  /** Each with the index of its parent in this list, unless it is directly below the span itself. */
  readonly spans: readonly SpanObject[]
  readonly trajectories: readonly SpanNode[]
}

/** Lists the nodes below a span, except its parts, which have keys. */
export function spansBelow(root: SpanNode, isPart: (node: SpanNode) => boolean): Below {
  const spans: SpanObject[] = []
  const trajectories: SpanNode[] = []
  const pending = childrenOf(root, undefined)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, above } = next
    if (isPart(node)) continue
    if (node.role === 'plan' || node.role === 'agent') trajectories.push(node)
    else if (node.role === undefined) append(pending, childrenOf(node, above))
    else {
      spans.push({ role: node.role, in: above, ...spanObject(node) })
      append(pending, childrenOf(node, spans.length - 1))
    }
  }
  return { spans, trajectories }
}

const childrenOf = ({ children }: SpanNode, above: number | undefined) =>
  children
    .toSorted(bySeq)
    .reverse()
    .map((node) => ({ node, above }))

/** Reads such a list as nested drafts. */
export function draftsBelow(list: JsonNode | undefined): SpanDraft[] {
  const drafts: (SpanDraft & { readonly children: SpanDraft[] })[] = []
  const top: SpanDraft[] = []
  for (const node of itemsOf(list)) {
    const role = roleOf(node)
    const { values, ...read } = readSpan(role, node)
    const draft = { role, subject: subjectOf(role, values), values, ...read, children: [] as SpanDraft[] }
    const above = drafts[indexIn(node)]
    drafts.push(draft)
    if (above) above.children.push(draft)
    else top.push(draft)
  }
  return top
}

const BELOW: ReadonlySet<string> = new Set(ROLES.filter((role) => role !== 'plan' && role !== 'agent'))

/** Returns the role of a span. A list from another writer may contain any role. */
function roleOf(node: JsonNode): Role {
  const text = stringOf(member(node, 'role')) ?? ''
  return BELOW.has(text) ? (text as Role) : 'guardrail'
}

function indexIn(node: JsonNode): number {
  const above = member(node, 'in')
  return above?.kind === 'number' ? Number(above.text) : -1
}

/** Returns the part of a span's name that comes from its values. */
export function subjectOf(role: Role, values: SpanDraft['values']): string | undefined {
  const subject =
    { plan: values['workflow'], llm: values['model'] ?? values['responseModel'] }[role as 'plan'] ?? values['name']
  return typeof subject === 'string' ? subject : undefined
}
