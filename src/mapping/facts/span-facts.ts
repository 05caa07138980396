import { ATTR, decodeFields, guardrailFields, type State, isUnsafe } from '../../semconv/index.js'
import { isActionTaken, madeCall, toolOf } from '../faults/index.js'
import { errorsOf, standingOf, type SpanNode } from '../tree/index.js'

/** Whose a model call is. */
export const USAGE_ROLES = ['agent', 'world_model', 'harmonyguard', 'reactive'] as const

/** Returns whose a model call is, as the call says; one below a guardrail is the world model's, others the agent's. */
export const usageRoleOf = ({ span, parent }: SpanNode): string =>
  span.attributes[ATTR.usageSource] || (parent?.role === 'guardrail' ? 'world_model' : 'agent')

/** Returns the error message of a span: the explicit one, else that of its first error; '' without any. */
export const errorMessageOf = (node: SpanNode): string =>
  node.span.attributes[ATTR.errorMessage] || errorsOf(node).find(({ message }) => message !== undefined)?.message || ''

/** Returns the state of a span; '' for what has not begun. */
export const stateTextOf = (node: SpanNode): State | '' => standingOf(node) ?? ''

const { score, isSafe, policies, repeated, actionName } = guardrailFields
const JUDGEMENT = { score, isSafe, policies, repeated, actionName }

/** The judgement of a guardrail. */
export interface Judgement {
  readonly score: number | undefined
  readonly isUnsafe: boolean
  /** Whether the action was taken; undefined where that is not known. */
  readonly isTaken: boolean | undefined
  /** The tool of the judged call; '' where it is not known. */
  readonly tool: string
}

/** What each guardrail of a finished forest judged: figures and rows both need it. */
const known = new WeakMap<SpanNode, { readonly judgement: Judgement | undefined }>()

/** Returns what a guardrail judged; undefined if it judged nothing or repeats another judgement of its cycle. */
export function judgementOf(guardrail: SpanNode): Judgement | undefined {
  const found = known.get(guardrail)
  if (found) return found.judgement
  const judgement = judge(guardrail)
  known.set(guardrail, { judgement })
  return judgement
}

function judge(guardrail: SpanNode): Judgement | undefined {
  const told = decodeFields(JUDGEMENT, guardrail.span.attributes)
  const isJudgement = told.score !== undefined || told.isSafe !== undefined || (told.policies ?? []).length > 0
  if (!isJudgement || told.repeated === true) return undefined
  const made = madeCall(guardrail)
  return {
    score: told.score,
    isUnsafe: isUnsafe(guardrail.span.attributes),
    isTaken: isActionTaken(guardrail),
    tool: (made && toolOf(made).name) ?? told.actionName ?? '',
  }
}
