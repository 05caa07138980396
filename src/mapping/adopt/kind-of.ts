import type { StoredSpan } from '../../semconv/index.js'
import { KIND_RULES, MARKERS } from './kind-rules.js'
import { type Kind, type KindRule, NAME, SCOPE } from './kind.js'

/** Returns the rule that determines the kind of a span. Undefined if no rule matches. */
export const kindRuleOf = (span: StoredSpan): KindRule | undefined => KIND_RULES.find(({ when }) => holds(when, span))

/** Whether a span of another instrumentation groups agents or calls, as a plan does. */
export const isPlanLike = (span: StoredSpan): boolean => PLAN_LIKE.has(kindRuleOf(span)?.kind)

const PLAN_LIKE: ReadonlySet<Kind | undefined> = new Set(['plan', 'chain', 'span'])

/** Whether a span of another instrumentation is a guardrail. */
export const isGuardrail = (span: StoredSpan): boolean => kindRuleOf(span)?.kind === 'guardrail'

/** Whether a span that matches no rule contains messages or tokens of a model, which are then lost. */
export const isUnread = ({ attributes }: StoredSpan): boolean =>
  MARKERS.some((key) => attributes[key] !== undefined) && Object.keys(attributes).some((key) => CONTENT.test(key))

const CONTENT =
  /^(gen_ai\.(usage|input|output|prompt|completion)\b|llm\.(token_count|input_messages|output_messages)\b)/

function holds(when: KindRule['when'], span: StoredSpan): boolean {
  for (const key in when) {
    const expected = when[key]
    const value = key === NAME ? span.name : key === SCOPE ? span.scopeName : span.attributes[key]
    if (!meets(value, expected)) return false
  }
  return true
}

/** Whether a value matches what a rule expects. */
export const meets = (value: string | undefined, expected: string | RegExp | undefined): boolean =>
  value !== undefined && (typeof expected === 'string' ? value === expected : expected?.test(value) === true)
