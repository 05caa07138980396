import { decideTrace } from '../../src/indexer/decide-trace.js'
import { planRow } from '../../src/indexer/rows/plan-row.js'
import { reviewRows } from '../../src/indexer/rows/review-rows.js'
import { spanRow } from '../../src/indexer/rows/span-row.js'
import { stepRows } from '../../src/indexer/rows/step-rows.js'
import { buildForest, foldSpans, planOutline, type SpanNode } from '../../src/mapping/index.js'
import { bySeq } from '../../src/mapping/tree/index.js'
import { ATTR, ROLES, type StoredSpan } from '../../src/semconv/index.js'

/** The columns that say where a plan was read from. */
const ORIGIN = new Set([
  'TraceId',
  'ServiceName',
  'Services',
  'Dialect',
  'Source',
  'RecordKey',
  'Digest',
  'RecordSpans',
])

/** The attributes that say where a span was read from. */
const ORIGIN_KEYS: ReadonlySet<string> = new Set([
  ATTR.recordDialect,
  ATTR.recordEra,
  ATTR.recordSource,
  ATTR.recordKey,
  ATTR.recordDigest,
  ATTR.recordSpanCount,
  ATTR.timeZone,
  ATTR.recordId,
  ATTR.recordParentId,
  ATTR.residual,
  ATTR.seq,
  ATTR.planSegment,
  ATTR.segmentBegun,
  // The column `State` has the state.
  ATTR.state,
])

/** What lists, SQL and the page show of a trace, with the places of spans instead of their ids. */
export function planFactsOf(spans: readonly StoredSpan[]) {
  const { facts } = decideTrace({ planRows: spans, isLarge: false, maxSpans: Infinity }, () => undefined)
  if (!facts) throw new Error('The trace cannot be read.')
  const rows = {
    plans: facts.plans.map((plan) => planRow(plan, { isSuperseded: false })),
    steps: facts.plans.flatMap((plan) => stepRows(plan, facts)),
    reviews: facts.plans.flatMap((plan) => reviewRows(plan)),
    spans: facts.spans.map((placed) =>
      spanRow(placed, { interruptedAt: undefined, isReplacement: false, attributes: placed.node.span.attributes }),
    ),
  }
  const page = planOutline(spans)
  const places = placesOf(spans)
  const placed = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one: unknown) => {
        if (ORIGIN.has(key) || HIDDEN.has(key)) return undefined
        if (typeof one === 'bigint') return String(one)
        if (typeof one === 'string' && places.has(one)) return places.get(one)
        if (key === 'events')
          return (one as StoredSpan['events']).map(({ name, timeUnixNano, attributes }) => [
            name,
            String(timeUnixNano),
            own(attributes),
          ])
        if (isNode(one)) return places.get(one.span.spanId) ?? 'unknown'
        if (/^(spanId|parentSpanId|SpanId|ParentSpanId)$/.test(key)) return 'not stored'
        if (key === 'SpanAttributes' || key === 'attributes') return own(one as Readonly<Record<string, string>>)
        return one
      }),
    )
  const sorted = (list: readonly unknown[]): unknown[] =>
    list.map(placed).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return {
    ...Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, sorted(list)])),
    tree: sorted(page.spans.map((span) => span)),
    courses: sorted(page.courses),
  } as Record<'plans' | 'steps' | 'reviews' | 'spans' | 'tree' | 'courses', unknown[]>
}

/** Parts of a span that say where it was read from. */
const HIDDEN: ReadonlySet<string> = new Set([
  'traceId',
  'serviceName',
  'scopeName',
  'resourceAttributes',
  'links',
  'segment',
])

const isNode = (value: unknown): value is SpanNode =>
  typeof value === 'object' && value !== null && 'span' in value && 'around' in value

const own = (attributes: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([key]) => !ORIGIN_KEYS.has(key) && !key.startsWith(ATTR.childrenPrefix))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** The place of each span in its tree, by its id. */
function placesOf(spans: readonly StoredSpan[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const visit = (nodes: readonly SpanNode[], above: string): void => {
    for (const role of ROLES) {
      for (const [at, node] of nodes
        .filter((one) => one.role === role)
        .toSorted(bySeq)
        .entries()) {
        const place = `${above}/${role}:${at}`
        places.set(node.span.spanId, place)
        visit(node.children, place)
      }
    }
  }
  visit(buildForest(foldSpans(spans)), '')
  return places
}
