import { ATTR, isOver, type Role, type StoredSpan } from '../../semconv/index.js'
import type { CostOfCall } from '../usage/index.js'
import { adoptTraces, isForeign, type PlanEnd } from '../adopt/index.js'
import { failuresOf } from '../faults/index.js'
import { type FoldedSpan, foldSpans, buildForest, type SpanBuffer, stateOf, type SpanNode } from '../tree/index.js'
import { interruptionsOf } from './interruptions.js'
import { listingsOf } from './listing.js'
import { type PlanFacts, planFacts } from './plan-facts.js'
import { type TracePlan, plansOfForest } from './trace-plans.js'

/** The facts of a trace, as the mapping decides them. */
export interface TraceFacts {
  readonly plans: readonly PlanFacts[]
  /** The spans with a role that belong to a plan. */
  readonly spans: readonly PlacedSpan[]
  /** When the state of a span becomes `interrupted` if nothing more arrives, Unix nanoseconds. */
  readonly interruptions: ReadonlyMap<SpanNode, bigint>
  /** Whether all plans are over and all counted spans are stored, so that no more rows are expected. */
  readonly isSettled: boolean
  /** The ends at which the plans of other traces may be joined with those of this one. */
  readonly ends: readonly PlanEnd[]
}

/** A span with its plan. */
export interface PlacedSpan {
  readonly node: SpanNode
  readonly plan: TracePlan
}

/** Returns the facts of the plans in the stored rows of a trace, complete or not. */
export function traceFacts(rows: SpanBuffer | readonly StoredSpan[], costOfCall: CostOfCall): TraceFacts {
  for (const row of rows) {
    if (!isForeign(row)) continue
    const { spans, ends } = adoptTraces(rows)
    return { ...factsOf(foldSpans(spans), costOfCall), ends }
  }
  return factsOf(foldSpans(rows), costOfCall)
}

/** Returns the facts of the plans of a trace from its outline only. */
export const outlineFacts = (rows: Iterable<StoredSpan>, costOfCall: CostOfCall): TraceFacts => ({
  ...factsOf(foldSpans([...rows].filter(isOutline)), costOfCall),
  isSettled: false,
})

const OUTLINE_ROLES: ReadonlySet<string | undefined> = new Set(['plan', 'planning', 'agent', 'wait'] satisfies Role[])

/** Whether a row is part of the outline of its trace: one of planspan's own plan, planning, agent or wait spans. */
export const isOutline = ({ attributes }: StoredSpan): boolean => OUTLINE_ROLES.has(attributes[ATTR.spanKind])

function factsOf(spans: readonly FoldedSpan[], costOfCall: CostOfCall): TraceFacts {
  const roots = buildForest(spans)
  const trace = plansOfForest(roots)
  const interruptions = interruptionsOf(roots, spans)
  const context = {
    trace,
    listings: listingsOf(trace),
    interruptions,
    failures: failuresOf(roots),
    costOfCall,
  }
  return {
    plans: trace.plans.map((plan) => planFacts(plan, context)),
    spans: trace.plans.flatMap((plan) => plan.own.filter(hasRole).map((node) => ({ node, plan }))),
    interruptions,
    ends: [],
    isSettled: trace.plans.length > 0 && trace.plans.every(isOwnAndOver) && trace.nodes.every(isWhole),
  }
}

/** Other instrumentations do not record how many spans there are. */
const isOwnAndOver = ({ head }: TracePlan): boolean =>
  isOver(stateOf(head)) && head.span.attributes[ATTR.adoptedConvention] === undefined

const hasRole = ({ role }: SpanNode): boolean => role !== undefined

const isWhole = ({ span, orphan, gaps }: SpanNode): boolean => !span.pending && !orphan && gaps.length === 0
