import { append } from '../../append.js'
import type { StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { foldSpans, buildForest, type ForestOptions, type SpanNode, walk } from '../tree/index.js'
import { coursesOfForest, type PlanCourse } from './plan-courses.js'
import { spansOfForest, type TreeSpan } from './tree-spans.js'

/** The spans of a trace, and the plans that they are of: what `treeSpans` and `planCourses` tell, of one forest. */
export interface PlanOutline {
  readonly spans: readonly TreeSpan[]
  readonly courses: readonly PlanCourse[]
}

export function planOutline(rows: Iterable<StoredSpan>, options: ForestOptions = {}): PlanOutline {
  const folded = foldSpans(adopt(rows))
  const roots = buildForest(folded, options)
  // First: the spans add the calls that guardrails stopped, which no step has.
  const courses = coursesOfForest(roots, folded)
  return { courses, spans: spansOfForest(roots) }
}

/**
 * The same of the rows of outermost plans, their plannings, agents and waits alone, those that stand right below each
 * other. Since when nothing was heard of a plan such rows do not tell.
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

/** An agent below a call stands somewhere else than it seems to without the call. */
const isPlaced = ({ orphan }: SpanNode): boolean => !orphan
