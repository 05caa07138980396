import type { Role } from '../../semconv/index.js'

/**
 * What a span of another instrumentation is before its tree decides: a role; a `chain` or `span` that may become a
 * plan or an agent; a `generation`, which is a model call where it holds none; an `identity` that names the agent below
 * it; a `handoff` to another agent; a `retrieval`, which is a tool call that alone makes no record; a `group`, which
 * only holds others; `none` for what is known and of no interest.
 */
export type Kind = Role | 'chain' | 'span' | 'generation' | 'identity' | 'handoff' | 'retrieval' | 'group' | 'none'

/** One way of instrumenting agents, by the name that records and answers give it. */
export type Convention =
  | 'gen_ai'
  | 'openinference'
  | 'traceloop'
  | 'vercel_ai'
  | 'mastra'
  | 'langfuse'
  | 'langsmith'
  | 'logfire'
  | 'pydantic_ai'
  | 'claude_code'

/** A test of a span: each named attribute, its `name` and its `scope` equal the text or match the expression. */
export interface KindRule {
  readonly convention: Convention
  readonly when: Readonly<Record<string, string | RegExp>>
  readonly kind: Kind
}

/** The name and the instrumentation scope of a span, which a rule tests as it tests attributes. */
export const NAME = 'span name'
export const SCOPE = 'scope name'

/** Any value: the attribute is there. */
export const ANY = /^/
