import type { PlacedSpan, TraceFacts } from '../../mapping/index.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { type RowKey, type RowTableName, rowValues, type WrittenRow } from '../../store/index.js'
import { isBulk, isToldByItself } from './own-row.js'
import { planRow } from './plan-row.js'
import { reviewRows } from './review-row.js'
import { spanRow } from './span-row.js'
import { stepRows } from './step-row.js'

export interface TraceRowsOptions {
  /** Whether a later import of the same record replaces the trace. */
  readonly isSuperseded: boolean
  /** The stored final row of a span. */
  readonly storedOf: (spanId: string) => StoredSpan | undefined
  /** The spans of which the content was not read, whole, by `wholeKey`. */
  readonly wholeOf: ReadonlyMap<string, StoredSpan>
}

/** A span among those of several traces. */
export const wholeKey = ({ traceId, spanId }: Pick<StoredSpan, 'traceId' | 'spanId'>): string => `${traceId}/${spanId}`

/** Finds the spans that need a row: all but those that their own row in `otel_traces` describes, and plans. */
export const spansWithRow = ({ spans }: TraceFacts, storedOf: TraceRowsOptions['storedOf']): PlacedSpan[] =>
  spans.filter((placed) => placed.node.role !== 'plan' && !isToldByItself(placed, storedOf(placed.node.span.spanId)))

/** All rows of a trace. Of a superseded import the plans alone remain. */
export function traceRows(
  facts: TraceFacts,
  placed: readonly PlacedSpan[],
  { isSuperseded, storedOf, wholeOf }: TraceRowsOptions,
): WrittenRow[] {
  const rows: WrittenRow[] = []
  const write = (
    table: RowTableName,
    row: { readonly Timestamp: bigint; readonly TraceId: string },
    rest: string[],
  ) => {
    const key: RowKey = { table, traceId: row.TraceId, time: row.Timestamp, rest }
    rows.push({ key, values: rowValues(table, row as Readonly<Record<string, unknown>>) })
  }
  for (const plan of facts.plans) {
    write('plans', planRow(plan, { isSuperseded }), [plan.plan.planId])
    if (isSuperseded) continue
    for (const row of stepRows(plan, facts)) write('steps', row, [row.PlanId, String(row.StepIndex)])
    for (const row of reviewRows(plan)) write('reviews', row, [row.PlanId, String(row.Position)])
  }
  for (const one of isSuperseded ? [] : placed) {
    const { span } = one.node
    const whole = wholeOf.get(wholeKey(span))
    const row = spanRow(one, {
      interruptedAt: facts.interruptions.get(one.node),
      isReplacement: isBulk(one) && storedOf(span.spanId)?.attributes[ATTR.spanKind] !== undefined,
      attributes: whole ? { ...whole.attributes, ...span.attributes } : span.attributes,
    })
    write('spans', row, [row.Role, row.SpanId])
  }
  return rows
}
