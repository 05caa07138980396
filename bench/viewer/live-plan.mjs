import { ATTR, PENDING } from '../../dist/semconv/index.js'
import { planRows } from '../fold/plan.mjs'

const APART_NS = 10_000_000n
const TOOK_NS = 8_000_000n

/**
 * A plan that is under way: the spans that are there, those that come, a hundredth of a second apart, and those with
 * which it is over. The plan's and its agents' spans are open, told of by a snapshot each.
 */
export function livePlan({ spans, coming, planId, traceId }) {
  const began = BigInt(Date.now()) * 1_000_000n - BigInt(spans) * APART_NS
  const rows = planRows({ spans: spans + coming, snapshots: 0 })
    .toSorted((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1))
    .map((row, index) => ({
      ...row,
      traceId,
      kind: 'INTERNAL',
      startTimeUnixNano: began + BigInt(index) * APART_NS,
      endTimeUnixNano: began + BigInt(index) * APART_NS + TOOK_NS,
      attributes: { ...row.attributes, [ATTR.planId]: planId, [ATTR.planRootId]: planId },
    }))
  const isOpen = ({ attributes }) => ['plan', 'agent'].includes(attributes[ATTR.spanKind])
  const told = rows.map((row) => (isOpen(row) ? snapshotOf(row) : row))
  return { there: told.slice(0, spans), coming: told.slice(spans), ends: rows.filter(isOpen) }
}

function snapshotOf({ spanId, parentSpanId, attributes, ...row }) {
  const { [ATTR.state]: _, ...others } = attributes
  return {
    ...row,
    spanId: spanId.replace(/^./, (digit) => (Number.parseInt(digit, 16) ^ 8).toString(16)),
    parentSpanId: spanId,
    attributes: {
      ...others,
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: spanId,
      [ATTR.pendingParentSpanId]: parentSpanId,
      [ATTR.snapshotSeq]: '0',
    },
  }
}
