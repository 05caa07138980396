import { decodeFields, guardrailFields, isUnsafe } from '../../semconv/index.js'
import { endOf, type SpanNode } from '../tree/index.js'
import { actionOf } from './action.js'
import { isActionTaken, madeCall } from './action-taken.js'

const { score, isSafe, policies, repeated } = guardrailFields
const FOUND = { score, isSafe, policies, repeated }

/** The finding of a guardrail. */
export interface Finding {
  readonly score: number | undefined
  /** Undefined without a verdict. */
  readonly isSafe: boolean | undefined
  readonly isUnsafe: boolean
}

/** Returns the finding of a guardrail. Undefined if it found nothing or repeats another finding of its cycle. */
export function findingOf({ role, span }: SpanNode): Finding | undefined {
  if (role !== 'guardrail') return undefined
  const { score, isSafe, policies = [], repeated } = decodeFields(FOUND, span.attributes)
  const hasFound = score !== undefined || isSafe !== undefined || policies.length > 0
  return hasFound && repeated !== true ? { score, isSafe, isUnsafe: isUnsafe(span.attributes) } : undefined
}

/** The finding of a guardrail, and the fate of the action that it judged. */
export interface Judgement extends Finding {
  /** Whether the action was taken. Undefined if unknown. */
  readonly isTaken: boolean | undefined
  /** When both the action and the judgement were known, Unix nanoseconds. Undefined if the action was not taken. */
  readonly takenAt: bigint | undefined
  /** The tool of the judged call. Empty if unknown. */
  readonly tool: string
}

/** A cache of each guardrail's judgement in a finished forest, because figures and rows both read it. */
const known = new WeakMap<SpanNode, { readonly judgement: Judgement | undefined }>()

/** Returns the judgement of a guardrail. Undefined if it found nothing or repeats another finding of its cycle. */
export function judgementOf(guardrail: SpanNode): Judgement | undefined {
  // Most spans are no guardrails, and the cache would hold them all.
  if (guardrail.role !== 'guardrail') return undefined
  const found = known.get(guardrail)
  if (found) return found.judgement
  const finding = findingOf(guardrail)
  const judgement = finding && { ...finding, ...actionAfter(guardrail) }
  known.set(guardrail, { judgement })
  return judgement
}

function actionAfter(guardrail: SpanNode): Omit<Judgement, keyof Finding> {
  const isTaken = isActionTaken(guardrail)
  const made = madeCall(guardrail)
  const ends = [guardrail, ...(made ? [made] : [])].map(({ span }) => endOf(span))
  return {
    isTaken,
    takenAt: isTaken ? ends.reduce((last, end) => (end > last ? end : last)) : undefined,
    tool: (made && actionOf(made).name) ?? actionOf(guardrail).name ?? '',
  }
}
