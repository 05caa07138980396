import { ATTR, type State, type StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { isActionTaken, showStoppedActions } from '../faults/index.js'
import {
  byStart,
  foldSpans,
  type FoldedSpan,
  buildForest,
  type ForestOptions,
  stateIfBegun,
  type SpanNode,
  walk,
} from '../tree/index.js'

/** A span in its place in the tree. The segments of a resumed plan are one span. */
export interface TreeSpan extends FoldedSpan {
  /** The state of the span. Undefined if it has not begun, and for spans of foreign instrumentation. */
  readonly state: State | undefined
  /** The segment of the resumed plan that contains the span, from 0. */
  readonly segment: number
}

/**
 * Returns the spans of one trace in their trees, by start. A live plan includes the calls that guardrails stopped, and
 * each guardrail says whether its action was taken.
 */
export const treeSpans = (rows: Iterable<StoredSpan>, options: ForestOptions = {}): TreeSpan[] =>
  spansOfForest(buildForest(foldSpans(adopt(rows)), options))

/** Returns the spans of a forest. Adds the stopped calls to the forest. */
export function spansOfForest(roots: readonly SpanNode[]): TreeSpan[] {
  for (const root of roots) showStoppedActions(root)
  const nodes = roots.flatMap((root) => [...walk(root)])
  return nodes
    .map((node) => ({
      ...node.span,
      attributes: attributesOf(node),
      parentSpanId: node.parent?.span.spanId ?? node.span.parentSpanId,
      state: node.role === undefined ? undefined : stateIfBegun(node),
      segment: node.segment,
    }))
    .sort(byStart)
}

function attributesOf(node: SpanNode): Readonly<Record<string, string>> {
  const { attributes } = node.span
  const actionTaken = node.role === 'guardrail' ? isActionTaken(node) : undefined
  return actionTaken === undefined ? attributes : { ...attributes, [ATTR.riskActionTaken]: String(actionTaken) }
}
