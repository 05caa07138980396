import type { StoredSpan } from '../semconv/index.js'
import { adopt } from './adopt/index.js'
import { foldSpans } from './fold.js'
import { buildForest, type ForestOptions } from './forest.js'
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
