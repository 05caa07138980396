import { ATTR, type RemarkKind, type Role } from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'

/** One thing that a reader needs to know first about a plan. */
export interface Remark {
  readonly kind: RemarkKind
  /** One line. */
  readonly text: string
  /** The span that the remark is about. */
  readonly node: SpanNode
}

/** The attributes that name what a span is about. The first that is present is its subject. */
const SUBJECTS: Readonly<Partial<Record<Role, readonly string[]>>> = {
  tool: [ATTR.toolName],
  llm: [ATTR.responseModel, ATTR.requestModel],
  agent: [ATTR.agentName],
  guardrail: [ATTR.guardrailName],
}

/** Returns the tool, the model, the agent or the guardrail of a span. Empty if unknown, and for other roles. */
export function subjectOf({ role, span }: SpanNode): string {
  if (role === undefined) return span.name
  return SUBJECTS[role]?.map((key) => span.attributes[key]).find(Boolean) ?? ''
}

/** Returns the agent that a span belongs to, or the span itself if it is an agent. */
export function nearestAgent(node: SpanNode): SpanNode | undefined {
  let at: SpanNode | undefined = node
  while (at && at.role !== 'agent') at = at.parent
  return at
}

/** Counts what a text does not describe, for its end. */
export const othersText = (count: number, one: string): string =>
  count === 0 ? '' : `; ${count} more ${one}${count === 1 ? '' : 's'}`
