import { adoptedFields, decodeFields, evaluationFields, EVENTS } from '../../../semconv/index.js'
import type { JsonValue } from '../../json/index.js'
import type { SpanNode } from '../../tree/index.js'

/**
 * Returns the evaluations of a span of another instrumentation. Undefined without evaluations, for a guardrail, whose
 * evaluation is its finding, and for planspan's own spans, whose evaluations repeat those of guardrails.
 */
export function evaluationsOf({ role, span }: SpanNode): JsonValue[] | undefined {
  if (role === 'guardrail' || span.attributes[adoptedFields.convention.key] === undefined) return undefined
  const found = span.events.filter(({ name }) => name === EVENTS.evaluation)
  return found.length > 0 ? found.map(({ attributes }) => evaluationOf(attributes)) : undefined
}

function evaluationOf(attributes: Readonly<Record<string, string>>): JsonValue {
  const { name, scoreValue, scoreLabel, explanation } = decodeFields(evaluationFields, attributes)
  return { name, score: scoreValue, label: scoreLabel, explanation }
}
