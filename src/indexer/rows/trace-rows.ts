import type { PlacedSpan, TraceFacts } from '../../mapping/index.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { type RowTableName, type WrittenRow, writtenRow } from '../../store/index.js'
import { isBulk, isDescribedByStoredRow } from './stored-row.js'
import { planRow } from './plan-row.js'
import { reviewRows } from './review-rows.js'
import { spanRow } from './span-row.js'
import { stepRows } from './step-rows.js'

export interface TraceRowsOptions {
  readonly traceId: string
  /** Whether a later import of the same record replaces the trace. */
  readonly isSuperseded: boolean
  /** Returns the stored final row of a span. */
  readonly storedOf: (spanId: string) => StoredSpan | undefined
  /** The whole rows of the spans whose content was read separately, by `wholeKey`. */
  readonly wholeOf: ReadonlyMap<string, StoredSpan>
}

/** Returns the key of a span among several traces. */
export const wholeKey = ({ traceId, spanId }: Pick<StoredSpan, 'traceId' | 'spanId'>): string => `${traceId}/${spanId}`

/** Finds the spans that need a row: all except plans, and spans that their row in `otel_traces` describes. */
export const spansWithRow = ({ spans }: TraceFacts, storedOf: TraceRowsOptions['storedOf']): PlacedSpan[] =>
  spans.filter(
    (placed) => placed.node.role !== 'plan' && !isDescribedByStoredRow(placed, storedOf(placed.node.span.spanId)),
  )

/** Returns all rows of a trace; for a superseded import only those of its plans. */
export function traceRows(
  facts: TraceFacts,
  placed: readonly PlacedSpan[],
  { traceId, isSuperseded, storedOf, wholeOf }: TraceRowsOptions,
): WrittenRow[] {
  const rows: WrittenRow[] = []
  const write = (table: RowTableName, time: bigint, { row, rest }: { row: object; rest: string[] }) =>
    rows.push(writtenRow({ table, traceId, time, rest }, row))
  for (const plan of facts.plans) {
    const { planId, head } = plan.plan
    const begun = head.span.startTimeUnixNano
    write('plans', begun, { row: planRow(plan, { isSuperseded }), rest: [planId] })
    if (isSuperseded) continue
    for (const row of stepRows(plan, facts)) write('steps', begun, { row, rest: [planId, String(row.StepIndex)] })
    for (const row of reviewRows(plan)) write('reviews', begun, { row, rest: [planId, String(row.Position)] })
  }
  for (const one of isSuperseded ? [] : placed) {
    const { span } = one.node
    const whole = wholeOf.size > 0 ? wholeOf.get(wholeKey(span)) : undefined
    const row = spanRow(one, {
      interruptedAt: facts.interruptions.get(one.node),
      isReplacement: isBulk(one) && storedOf(span.spanId)?.attributes[ATTR.spanKind] !== undefined,
      attributes: whole ? { ...whole.attributes, ...span.attributes } : span.attributes,
    })
    write('spans', span.startTimeUnixNano, { row, rest: [row.Role, row.SpanId] })
  }
  return rows
}
