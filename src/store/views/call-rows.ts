import { type Role, UNTYPED_ERROR } from '../../semconv/index.js'
import { fillSql, readSql, listLiteral, literal } from '../client/sql-file.js'
import type { ViewColumn } from './column.js'

/** Whether ClickHouse replaces the earlier rows of a span, or the span table is one that a collector created. */
export type SpanEngine = 'replacing' | 'plain'

/** The clauses that select the last row of each ended span, after the table and at the end of the query. */
export const ONCE = {
  replacing: { final: 'FINAL', once: '' },
  plain: { final: '', once: 'LIMIT 1 BY span.TraceId, span.Timestamp, span.SpanId, span.ServiceName, span.PlanId' },
} as const satisfies Record<SpanEngine, object>

/** The columns of `span_rows` that the mapping decides, for a span that its own row of `otel_traces` describes. */
const OWN: Readonly<Record<string, string>> = {
  // The duration of a span that ends before it starts wraps.
  Duration: 'toUInt64(greatest(toInt64(span.Duration), 0))',
  RootPlanId: `if(span.RootPlanId = '', span.PlanId, span.RootPlanId)`,
  State: `if(span.State != '', span.State, if(span.StatusCode = 'Error', 'failed', 'completed'))`,
  InterruptedAt: `CAST(NULL, 'Nullable(DateTime64(9))')`,
  Ended: 'true',
  Error: `multiIf(span.ErrorMessage != '', span.ErrorMessage, span.StatusCode = 'Error' AND span.StatusMessage != '', span.StatusMessage, span.ErrorType != '${UNTYPED_ERROR}', span.ErrorType, '')`,
  UsageRole: `if(span.UsageSource != '', span.UsageSource, 'agent')`,
}

export interface CallRowsOptions {
  readonly engine: SpanEngine
  /** The columns that read the subquery. */
  readonly columns: readonly ViewColumn[]
  /** Selects the calls with at least one of these attributes. @default all calls */
  readonly having?: readonly string[] | undefined
}

/**
 * Returns a subquery, `span`, for the cycles, model calls or tool calls: those that their row of `otel_traces`
 * describes, in the columns of `span_rows`, and those of `span_rows`. It has the columns that `columns` read.
 */
export function callRows(role: Role, { engine, columns, having }: CallRowsOptions): string {
  const read = columns.flatMap(({ expression }) =>
    [...expression.matchAll(/\bspan\.(\w+)/g)].map(([, name = '']) => name),
  )
  const names = [...new Set([...read, 'SpanAttributes'])]
  return fillSql(readSql('fragments/calls.sql').trimEnd(), {
    role: literal(role),
    // The keys are a column of their own: the values of other calls are not read.
    among: having ? ` AND hasAny(span.SpanAttributes.keys, ${listLiteral(having)})` : '',
    own_columns: names.map((name) => selected(OWN[name] ?? `span.${name}`, name)).join(', '),
    row_columns: names.join(', '),
    ...ONCE[engine],
  })
}

/** An item of a SELECT from `span`. */
export const selected = (expression: string, name: string): string =>
  expression === `span.${name}` ? name : `${expression} AS ${name}`
