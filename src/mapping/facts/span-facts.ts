import { ATTR, decodeFields, guardrailFields, type State, isUnsafe } from '../../semconv/index.js'
import { isActionTaken, madeCall, toolOf } from '../faults/index.js'
import { errorsOf, stateIfBegun, type SpanNode } from '../tree/index.js'

/** Who made a model call. */
export const USAGE_ROLES = ['agent', 'world_model', 'harmonyguard', 'reactive'] as const

/**
 * Returns who made a model call, as the call records it. Otherwise calls below a guardrail are the world model's, and
 * other calls the agent's.
 */
export const usageRoleOf = ({ span, parent }: SpanNode): string =>
  span.attributes[ATTR.usageSource] || (parent?.role === 'guardrail' ? 'world_model' : 'agent')

/**
 * Returns the error message of a span: the explicit message, otherwise that of its first error. Empty without errors.
 */
export const errorMessageOf = (node: SpanNode): string =>
  node.span.attributes[ATTR.errorMessage] || errorsOf(node).find(({ message }) => message !== undefined)?.message || ''

/** Returns the state of a span. Empty if it has not begun. */
export const stateTextOf = (node: SpanNode): State | '' => stateIfBegun(node) ?? ''

const { score, isSafe, policies, repeated, actionName } = guardrailFields
const JUDGEMENT = { score, isSafe, policies, repeated, actionName }

/** The judgement of a guardrail. */
export interface Judgement {
  readonly score: number | undefined
  readonly isUnsafe: boolean
  /** Whether the action was taken. Undefined if unknown. */
  readonly isTaken: boolean | undefined
  /** The tool of the judged call. Empty if unknown. */
  readonly tool: string
}

/** A cache of each guardrail's judgement in a finished forest, because figures and rows both read it. */
const known = new WeakMap<SpanNode, { readonly judgement: Judgement | undefined }>()

/** Returns the judgement of a guardrail. Undefined if it judged nothing or repeats another judgement of its cycle. */
export function judgementOf(guardrail: SpanNode): Judgement | undefined {
  const found = known.get(guardrail)
  if (found) return found.judgement
  const judgement = judge(guardrail)
  known.set(guardrail, { judgement })
  return judgement
}

function judge(guardrail: SpanNode): Judgement | undefined {
  const recorded = decodeFields(JUDGEMENT, guardrail.span.attributes)
  const isJudgement =
    recorded.score !== undefined || recorded.isSafe !== undefined || (recorded.policies ?? []).length > 0
  if (!isJudgement || recorded.repeated === true) return undefined
  const made = madeCall(guardrail)
  return {
    score: recorded.score,
    isUnsafe: isUnsafe(guardrail.span.attributes),
    isTaken: isActionTaken(guardrail),
    tool: (made && toolOf(made).name) ?? recorded.actionName ?? '',
  }
}
