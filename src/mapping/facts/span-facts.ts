import { ATTR, type State } from '../../semconv/index.js'
import { stateIfBegun, type SpanNode } from '../tree/index.js'

/** Who made a model call. */
export const USAGE_ROLES = ['agent', 'world_model', 'policy_guardrail', 'reactive_guardrail'] as const

/**
 * Returns who made a model call, as the call records it. Otherwise calls below a guardrail are the world model's, and
 * other calls the agent's.
 */
export const usageRoleOf = ({ span, parent }: SpanNode): string =>
  span.attributes[ATTR.usageSource] || (parent?.role === 'guardrail' ? 'world_model' : 'agent')

/** Returns the state of a span. Empty if it has not begun. */
export const stateTextOf = (node: SpanNode): State | '' => stateIfBegun(node) ?? ''
