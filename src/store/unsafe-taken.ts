import {
  buildForest,
  type FoldedSpan,
  foldSpans,
  isActionTaken,
  isUnsafe,
  type SpanNode,
  walk,
} from '../mapping/index.js'
import { ATTR, decodeFields, guardrailFields, type StoredSpan } from '../semconv/index.js'
import { planKey } from './plan-key.js'
import type { QueryTarget } from './query.js'
import { streamRows } from './read-rows.js'
import { byTrace, collectSpans } from './rows/index.js'

/** The spans of a trace below which a guardrail found an action unsafe. */
export interface UnsafeBelow {
  readonly traceId: string
  readonly parentIds: readonly string[]
}

/**
 * How many actions were taken although a guardrail found them unsafe: of each plan, its sub-plans' counted in, and by
 * '' of the whole trace.
 */
export async function unsafeTaken(
  target: QueryTarget,
  places: readonly UnsafeBelow[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const part of inParts(places)) {
    const traceIds = [...new Set(part.map(({ traceId }) => traceId))]
    const parentIds = part.map(({ parentId }) => parentId)
    const spans = await collectSpans(streamRows(target, traceIds, { rows: 'judged', parentIds }))
    for (const [traceId, rows] of byTrace(spans)) {
      for (const { span } of guardrailsOf(rows).filter(isUnsafeTaken)) {
        const { [ATTR.planId]: planId = '', [ATTR.planRootId]: rootPlanId = '' } = span.attributes
        for (const plan of new Set(['', planId, rootPlanId])) {
          const key = planKey({ traceId, planId: plan })
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
    }
  }
  return counts
}

/** So many spans a query names: ClickHouse takes parameters of 128 KiB. */
const MOST = 5_000

/** A span's whole cycle is below it, so that each part tells all of its own. */
function* inParts(places: readonly UnsafeBelow[]) {
  const all = places.flatMap(({ traceId, parentIds }) => parentIds.map((parentId) => ({ traceId, parentId })))
  for (let from = 0; from < all.length; from += MOST) yield all.slice(from, from + MOST)
}

function guardrailsOf(rows: readonly StoredSpan[]): SpanNode[] {
  const spans = foldSpans(rows)
  return buildForest([...cyclesToCome(spans), ...spans])
    .flatMap((root) => [...walk(root)])
    .filter(({ role }) => role === 'guardrail')
}

function isUnsafeTaken(guardrail: SpanNode): boolean {
  const { repeated } = decodeFields(guardrailFields, guardrail.span.attributes)
  return isUnsafe(guardrail.span.attributes) && repeated !== true && isActionTaken(guardrail) === true
}

/** What is told of only when it ends may come after what is below it: it is not over. */
function cyclesToCome(spans: readonly FoldedSpan[]): FoldedSpan[] {
  const known = new Set(['', ...spans.map(({ spanId }) => spanId)])
  const missing = new Map(
    spans.filter(({ parentSpanId }) => !known.has(parentSpanId)).map((span) => [span.parentSpanId, span]),
  )
  return [...missing].map(([spanId, span]) => ({
    ...span,
    spanId,
    parentSpanId: '',
    pending: true,
    attributes: { [ATTR.spanKind]: 'think_act' },
    links: [],
  }))
}
