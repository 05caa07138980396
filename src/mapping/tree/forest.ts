import { ATTR } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { gapsOf } from './gaps.js'
import { joinSegments } from './join-segments.js'
import { linkSpans } from './link-spans.js'
import { withMissingPlans } from './missing-plans.js'
import { placesOfWaits, surround } from './surroundings.js'
import type { SpanNode } from './span-node.js'

export interface ForestOptions {
  /**
   * The time at which a silent live plan counts as interrupted, Unix nanoseconds.
   * @default no plan counts as interrupted
   */
  readonly now?: bigint | undefined
}

/** Builds the span trees of one trace. Missing plan spans are added; the segments of each plan become one plan. */
export function buildForest(spans: readonly FoldedSpan[], { now }: ForestOptions = {}): SpanNode[] {
  const nodes = linkSpans(withMissingPlans(spans))
  for (const node of nodes) node.gaps = gapsOf(node)
  const asked = placesOfWaits(nodes)
  // An imported record has one span for each plan, agent and wait, and states its own states.
  const live = isLive(spans)
  if (live) joinSegments(nodes)
  const roots = nodes.filter(({ parent }) => parent === undefined)
  if (live) surround(roots, { spans, asked, now })
  return roots
}

const isLive = (spans: readonly FoldedSpan[]): boolean =>
  !spans.some(({ attributes }) => attributes[ATTR.recordDialect])
