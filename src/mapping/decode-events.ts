import { type State, type StoredSpan, type Verdict } from '../semconv/index.js'
import { adopt } from './adopt/index.js'
import { findRecordRoot } from './decode-record.js'
import { eventFrames, type EventFrame } from './dialects/plan-act/index.js'
import {
  foldSpans,
  type FoldedSpan,
  buildForest,
  progressOf,
  silentAt,
  stateOf,
  ancestors,
  isSubPlan,
  type SpanNode,
  isRedacted,
  missingSpans,
  verdictOf,
} from './tree/index.js'
import { showStoppedActions } from './faults/index.js'

/** The events of a live plan so far. */
export interface PlanEvents {
  readonly frames: readonly EventFrame[]
  readonly state: State
  readonly verdict: Verdict
  readonly missing: readonly string[]
  /** Whether the plan's own span has ended; it may still wait for a person. */
  readonly ended: boolean
  /** The latest end of a span or snapshot in the trace, Unix nanoseconds. */
  readonly lastHeard: bigint
  /** When the plan counts as interrupted if nothing more arrives, Unix nanoseconds. Undefined if it never does. */
  readonly silentAt: bigint | undefined
}

/** The requested plan, or the requested agent by its step. */
export type EventsOf = { readonly planId: string } | { readonly stepId: string }

/**
 * Returns the events of a live plan at the time `now` (Unix nanoseconds) from the stored rows of its trace, in the
 * order in which they happened. Undefined if the rows contain no such plan or step.
 */
export function decodeEvents(
  rows: readonly StoredSpan[],
  { now, ...of }: EventsOf & { readonly now: bigint },
): PlanEvents | undefined {
  const spans = foldSpans(adopt(rows))
  const plan = findRecordRoot(buildForest(spans, { now }), of)
  if (!plan) return undefined
  showStoppedActions(plan)
  const missing = missingSpans(plan).map(({ what }) => what)
  const state = stateOf(plan)
  const lastHeard = rows.reduce((last, { endTimeUnixNano }) => (endTimeUnixNano > last ? endTimeUnixNano : last), 0n)
  return {
    frames: eventFrames(plan),
    state,
    verdict: verdictOf({ missing: missing.length > 0, redacted: isRedacted(plan), altered: false }),
    missing,
    ended: !plan.span.pending,
    lastHeard,
    silentAt: plan.span.pending && state !== 'waiting' ? silenceOf(outermostOf(plan), spans) : undefined,
  }
}

/** Returns the root plan, because a sub-plan's heartbeats are those of its root plan. */
function outermostOf(node: SpanNode): SpanNode {
  let plan = node
  for (const above of [node, ...ancestors(node)]) {
    if (above.role !== 'plan') continue
    plan = above
    if (!isSubPlan(above)) break
  }
  return plan
}

const silenceOf = (plan: SpanNode, spans: readonly FoldedSpan[]): bigint | undefined =>
  silentAt(plan, progressOf(spans)(plan))
