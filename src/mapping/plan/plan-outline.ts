import { append } from '../../base/append.js'
import type { StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { foldSpans, buildForest, type SpanNode, walk } from '../tree/index.js'
import { coursesOfForest, type PlanCourse } from './plan-courses.js'
import { spansOfForest, type TreeOptions, type TreeSpan } from './tree-spans.js'

/** The spans and the plans of a trace, as `treeSpans` and `planCourses` return them, from one forest. */
export interface PlanOutline {
  readonly spans: readonly TreeSpan[]
  readonly courses: readonly PlanCourse[]
}

export function planOutline(rows: Iterable<StoredSpan>, { costOfCall, ...options }: TreeOptions = {}): PlanOutline {
  const folded = foldSpans(adopt(rows))
  const roots = buildForest(folded, options)
  // The courses come first, because `spansOfForest` adds calls that guardrails stopped, and no step contains those.
  const courses = coursesOfForest(roots, folded)
  return { courses, spans: spansOfForest(roots, costOfCall) }
}

/**
 * Returns the outline of root plans from rows that contain only plans, plannings, agents and waits. Only spans directly
 * below each other are included. Such rows do not show how long a plan has been silent.
 */
export function planTop(rows: Iterable<StoredSpan>): PlanOutline {
  const folded = foldSpans(rows)
  const roots = buildForest(folded).filter(isPlaced)
  for (const node of roots.flatMap((root) => [...walk(root)])) {
    const placed = node.children.filter(isPlaced)
    node.children.length = 0
    append(node.children, placed)
  }
  return { courses: coursesOfForest(roots, folded), spans: spansOfForest(roots) }
}

/** Without the call above it, an agent would appear in the wrong place. */
const isPlaced = ({ orphan }: SpanNode): boolean => !orphan
