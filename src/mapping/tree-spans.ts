import type { State, StoredSpan } from '../semconv/index.js'
import { byStart, foldSpans, type FoldedSpan } from './fold.js'
import { buildForest, type ForestOptions } from './forest.js'
import { standingOf } from './state.js'
import { walk } from './tree.js'

/** A span in its place in the tree, which of a resumed plan is one for all its segments. */
export interface TreeSpan extends FoldedSpan {
  /** The state of what the span stands for; undefined for what has not begun, and for foreign instrumentation. */
  readonly state: State | undefined
}

/** The stored rows of one trace as the spans of its trees, in order of their start. */
export function treeSpans(rows: Iterable<StoredSpan>, options: ForestOptions = {}): TreeSpan[] {
  const roots = buildForest(foldSpans(rows), options)
  const nodes = roots.flatMap((root) => [...walk(root)])
  return nodes
    .map((node) => ({
      ...node.span,
      parentSpanId: node.parent?.span.spanId ?? node.span.parentSpanId,
      state: node.role === undefined ? undefined : standingOf(node),
    }))
    .sort(byStart)
}
