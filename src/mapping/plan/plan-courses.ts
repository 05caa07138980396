import { decodeFields, type StoredSpan, waitFields } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import {
  type FoldedSpan,
  foldSpans,
  buildForest,
  type ForestOptions,
  isForeignRecord,
  ownNodes,
  type SpanNode,
  walk,
} from '../tree/index.js'
import { type PlanReview, reviewsOf } from './plan-reviews.js'
import { type PlanVersion, planVersions } from './plan-versions.js'
import { type PlannedWork, plannedWork } from './planned-steps.js'

/** The course of a plan: its steps and agents, its versions, its reviews and its waits. */
export interface PlanCourse extends PlannedWork {
  readonly plan: SpanNode
  readonly versions: readonly PlanVersion[]
  readonly reviews: readonly CourseReview[]
  /** The waits for people, by start. */
  readonly waits: readonly SpanNode[]
}

/** A review with its wait, if there was one. */
export interface CourseReview extends PlanReview {
  readonly wait: SpanNode | undefined
}

/** Returns the plans in the trace of the stored rows. A plan comes before its sub-plans. */
export function planCourses(rows: Iterable<StoredSpan>, options: ForestOptions = {}): PlanCourse[] {
  const spans = foldSpans(adopt(rows))
  return coursesOfForest(buildForest(spans, options), spans)
}

/** Returns the plans in a forest that was built from `spans`. */
export function coursesOfForest(roots: readonly SpanNode[], spans: readonly FoldedSpan[]): PlanCourse[] {
  // The times of imported events are derived, not recorded.
  const isImported = spans.some(isForeignRecord)
  const nodes = roots.flatMap((root) => [...walk(root)])
  return nodes.filter(({ role }) => role === 'plan').map((plan) => courseOf(plan, isImported))
}

function courseOf(plan: SpanNode, isImported: boolean): PlanCourse {
  const waits = [...ownNodes(plan)].filter(({ role }) => role === 'wait').sort(byStart)
  const attempts = new Map(waits.map((wait) => [decodeFields(ATTEMPT, wait.span.attributes).reviewAttempt, wait]))
  const reviews = reviewsOf(plan.span).map((review) => ({
    ...review,
    time: isImported ? undefined : review.time,
    wait: review.attempt === undefined ? undefined : attempts.get(review.attempt),
  }))
  return { plan, ...plannedWork(plan), versions: planVersions(plan), reviews, waits }
}

const ATTEMPT = { reviewAttempt: waitFields.reviewAttempt }

const byStart = (a: SpanNode, b: SpanNode): number => Number(a.span.startTimeUnixNano - b.span.startTimeUnixNano)
