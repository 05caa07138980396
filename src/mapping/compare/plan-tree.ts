import type { StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { findRecordRoot, type DecodeOptions } from '../decode-record.js'
import { foldSpans, buildForest, type SpanNode } from '../tree/index.js'
import { showStoppedActions } from '../faults/index.js'

/**
 * Builds the finished tree of a plan, or of an agent by its step, including calls that guardrails stopped. Undefined if
 * the stored spans of its trace contain no such node.
 */
export function planTree(
  spans: Iterable<StoredSpan>,
  { planId, stepId, now }: Pick<DecodeOptions, 'planId' | 'stepId' | 'now'> = {},
): SpanNode | undefined {
  const forest = buildForest(foldSpans(adopt(spans)), { now })
  const node = findRecordRoot(forest, {
    ...(planId === undefined ? {} : { planId }),
    ...(stepId === undefined ? {} : { stepId }),
  })
  if (node) showStoppedActions(node)
  return node
}
