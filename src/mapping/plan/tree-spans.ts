import { ATTR, type State, type StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { isActionTaken, showStoppedActions } from '../faults/index.js'
import {
  byStart,
  foldSpans,
  type FoldedSpan,
  buildForest,
  type ForestOptions,
  standingOf,
  type SpanNode,
  walk,
} from '../tree/index.js'

/** A span in its place in the tree, which of a resumed plan is one for all its segments. */
export interface TreeSpan extends FoldedSpan {
  /** The state of what the span stands for; undefined for what has not begun, and for foreign instrumentation. */
  readonly state: State | undefined
  /** In which segment of a resumed plan it stands, from 0. */
  readonly segment: number
}

/**
 * The stored rows of one trace as the spans of its trees, in order of their start; those of a live plan with the calls
 * that guardrails stopped, and on each guardrail whether its action was taken.
 */
export const treeSpans = (rows: Iterable<StoredSpan>, options: ForestOptions = {}): TreeSpan[] =>
  spansOfForest(buildForest(foldSpans(adopt(rows)), options))

/** The same of a forest, which the stopped calls become part of. */
export function spansOfForest(roots: readonly SpanNode[]): TreeSpan[] {
  for (const root of roots) showStoppedActions(root)
  const nodes = roots.flatMap((root) => [...walk(root)])
  return nodes
    .map((node) => ({
      ...node.span,
      attributes: attributesOf(node),
      parentSpanId: node.parent?.span.spanId ?? node.span.parentSpanId,
      state: node.role === undefined ? undefined : standingOf(node),
      segment: node.segment,
    }))
    .sort(byStart)
}

function attributesOf(node: SpanNode): Readonly<Record<string, string>> {
  const { attributes } = node.span
  const actionTaken = node.role === 'guardrail' ? isActionTaken(node) : undefined
  return actionTaken === undefined ? attributes : { ...attributes, [ATTR.riskActionTaken]: String(actionTaken) }
}
