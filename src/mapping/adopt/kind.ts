import type { Role } from '../../semconv/index.js'

/**
 * The kind of a foreign span before its tree is known: a role; a `chain` or `span`, which may become a plan or an
 * agent; a `generation`, which is a model call unless it contains one; an `identity`, which names the agent below it; a
 * `handoff` to another agent; a `retrieval`, which is a tool call that needs no record by itself; a `group`, which only
 * contains others; `none`, which is known and irrelevant.
 */
export type Kind = Role | 'chain' | 'span' | 'generation' | 'identity' | 'handoff' | 'retrieval' | 'group' | 'none'

/** A convention for instrumenting agents, by the name used in records and responses. */
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
  | 'agent_logs'
  | 'haystack'
  | 'genkit'
  | 'voltagent'
  | 'unknown'

/**
 * A condition on a span: each named attribute, its `name` and its `scope` must equal the text or match the expression.
 */
export interface KindRule {
  readonly convention: Convention
  readonly when: Readonly<Record<string, string | RegExp>>
  readonly kind: Kind
}

/** Pseudo-attributes for the span name and the instrumentation scope in rules. */
export const NAME = 'span name'
export const SCOPE = 'scope name'

/** Matches any value. */
export const ANY = /^/
