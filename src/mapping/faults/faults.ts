import { decodeFields, everySpanFields, guardrailFields, type StoredSpan } from '../../semconv/index.js'
import { isActionTaken, judgedCalls } from './action-taken.js'
import { findingOf } from './judgement.js'
import { adopt } from '../adopt/index.js'
import { type Failure, failuresOf } from './failures.js'
import { foldSpans, buildForest, type ForestOptions, isAwaited, walk, type SpanNode } from '../tree/index.js'
import { showStoppedActions } from './stopped-actions.js'

/** An action that a guardrail found unsafe, or stopped. */
export interface RiskyAction {
  readonly guardrail: SpanNode
  /** Undefined if unknown. */
  readonly taken: boolean | undefined
  /** The calls that the guardrail judged, made or stopped. */
  readonly calls: readonly SpanNode[]
}

/** A wait for a person. */
export interface PersonWait {
  readonly node: SpanNode
  /** Whether the wait still needs an answer. */
  readonly isOpen: boolean
  /** Undefined if the times are derived, not recorded. */
  readonly nanoseconds: bigint | undefined
}

/** What explains why a plan went wrong: failures, risky actions and waits. */
export interface Faults {
  readonly failures: readonly Failure[]
  /** Actions that were taken come first, then the riskiest. */
  readonly actions: readonly RiskyAction[]
  /** The longest first. */
  readonly waits: readonly PersonWait[]
}

/** Finds the failures, the unsafe actions and the waits in the trace of the stored rows. */
export function faultsOf(rows: Iterable<StoredSpan>, options: ForestOptions = {}): Faults {
  const roots = buildForest(foldSpans(adopt(rows)), options)
  const failures = failuresOf(roots)
  for (const root of roots) showStoppedActions(root)
  const nodes = roots.flatMap((root) => [...walk(root)])
  return {
    failures,
    actions: nodes
      .filter(({ role }) => role === 'guardrail')
      .flatMap(riskyAction)
      .sort(byRisk),
    waits: nodes
      .filter(({ role }) => role === 'wait')
      .map((node) => personWait(node, options.now))
      .sort(byLength),
  }
}

function riskyAction(guardrail: SpanNode): RiskyAction[] {
  const { repeated } = decodeFields(guardrailFields, guardrail.span.attributes)
  const taken = isActionTaken(guardrail)
  if (repeated === true || (taken !== false && findingOf(guardrail)?.isUnsafe !== true)) return []
  return [{ guardrail, taken, calls: judgedCalls(guardrail) ?? [] }]
}

function personWait(node: SpanNode, now: bigint | undefined): PersonWait {
  const { startTimeUnixNano: start, endTimeUnixNano: end, attributes } = node.span
  const isOpen = isAwaited(node)
  const { timeSynthetic } = decodeFields(everySpanFields, attributes)
  const until = isOpen && now !== undefined && now > end ? now : end
  return { node, isOpen, nanoseconds: timeSynthetic === true ? undefined : until - start }
}

const RANKS = [true, undefined, false]

function byRisk(a: RiskyAction, b: RiskyAction): number {
  const rank = RANKS.indexOf(a.taken) - RANKS.indexOf(b.taken)
  return rank === 0 ? scoreOf(b) - scoreOf(a) : rank
}

const scoreOf = ({ guardrail }: RiskyAction): number =>
  decodeFields(guardrailFields, guardrail.span.attributes).score ?? 0

const byLength = (a: PersonWait, b: PersonWait): number => Number((b.nanoseconds ?? -1n) - (a.nanoseconds ?? -1n))
