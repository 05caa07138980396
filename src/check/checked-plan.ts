import {
  type CostOfCall,
  figuresOf,
  missingSpans,
  type PlannedStep,
  plannedWork,
  planTree,
  type PlanFigures,
  type SpanNode,
  stateIfBegun,
} from '../mapping/index.js'
import { isOver, type State, type StoredSpan } from '../semconv/index.js'
import { nodesInOrder, planActions } from './plan-actions.js'

/** A planned step of a plan or of a sub-plan. */
export interface OwnedStep extends PlannedStep {
  readonly plan: SpanNode
}

/** A plan to check, with its sub-plans. */
export interface CheckedPlan {
  readonly head: SpanNode
  /** The nodes at and below the head, in order. */
  readonly nodes: readonly SpanNode[]
  readonly state: State
  /** Whether nothing more is expected: what is missing now stays missing. */
  readonly isOver: boolean
  /** The planned steps, those of sub-plans included, each with its plan. */
  readonly steps: readonly OwnedStep[]
  readonly actions: ReturnType<typeof planActions>
  /** Counts and sums over all nodes; computed on demand. */
  readonly figures: () => PlanFigures
  /** The number of known gaps, such as spans that did not arrive. */
  readonly missing: number
}

export interface PlanToCheck {
  readonly planId: string
  readonly now: bigint
  readonly costOfCall: CostOfCall
}

/** Returns the plan in the stored spans of its trace. Undefined if they do not contain it. */
export function checkedPlan(
  spans: Iterable<StoredSpan>,
  { planId, now, costOfCall }: PlanToCheck,
): CheckedPlan | undefined {
  const head = planTree(spans, { planId, now })
  if (!head) return undefined
  const nodes = nodesInOrder(head)
  const state = stateIfBegun(head) ?? 'planning'
  const steps = nodes
    .filter(({ role }) => role === 'plan')
    .flatMap((plan) => plannedWork(plan).steps.map((step) => ({ ...step, plan })))
  let figures: PlanFigures | undefined
  return {
    head,
    nodes,
    state,
    isOver: isOver(state),
    steps,
    actions: planActions(nodes, steps),
    figures: () => (figures ??= figuresOf(nodes, costOfCall)),
    missing: missingSpans(head).length,
  }
}
