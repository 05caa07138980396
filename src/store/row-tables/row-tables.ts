import type { StoredColumn } from '../schema/stored-columns.js'
import { PLAN_ROW } from './plan-row.js'
import { REVIEW_ROW } from './review-row.js'
import type { RowColumns } from './row-column.js'
import { COMPUTED_BESIDE } from './row-fields.js'
import { SPAN_ROW } from './span-row.js'
import { STEP_ROW } from './step-row.js'

/** A table that the indexer writes. Of several rows with the same key the one with the highest version counts. */
export interface RowTable {
  readonly name: string
  readonly columns: RowColumns
  /** The columns that tell rows apart, in the order in which they are sorted. */
  readonly key: readonly string[]
  /** Statements about columns, indexes and the like that follow the columns. */
  readonly more: readonly string[]
}

const ZSTD = ' CODEC(ZSTD(1))'
const BY_TRACE = 'INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1'
const BY_PLAN = 'INDEX idx_plan_id PlanId TYPE bloom_filter(0.001) GRANULARITY 1'

const declared = (columns: readonly StoredColumn[]): string[] =>
  columns.map(({ name, type, expression }) => `${name} ${type} MATERIALIZED ${expression}${ZSTD}`)

export const ROW_TABLES = {
  plans: {
    name: 'plan_rows',
    columns: PLAN_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId'],
    more: [
      ...declared(COMPUTED_BESIDE.plans),
      BY_TRACE,
      BY_PLAN,
      'INDEX idx_record RecordKey TYPE bloom_filter(0.001) GRANULARITY 1',
      'INDEX idx_last_seen LastSeen TYPE minmax GRANULARITY 1',
    ],
  },
  spans: {
    name: 'span_rows',
    columns: SPAN_ROW,
    key: ['Role', 'Timestamp', 'TraceId', 'SpanId'],
    more: [...declared(COMPUTED_BESIDE.spans), BY_TRACE, BY_PLAN],
  },
  steps: {
    name: 'step_rows',
    columns: STEP_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId', 'StepIndex'],
    more: [BY_TRACE, BY_PLAN],
  },
  reviews: {
    name: 'review_rows',
    columns: REVIEW_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId', 'Position'],
    more: [BY_TRACE, BY_PLAN],
  },
} as const satisfies Record<string, RowTable>

/** The table of the positions up to which spans are indexed. */
export const WATERMARKS = 'index_watermarks'

/** All tables that the indexer writes. */
export const INDEX_TABLES: readonly string[] = [
  ...Object.values<RowTable>(ROW_TABLES).map(({ name }) => name),
  'superseded_imports',
  'index_failures',
  WATERMARKS,
]

/** The statement that creates a row table. */
export function rowTableDdl({ name, columns, key, more }: RowTable): string {
  const own = Object.entries(columns).map(([column, { type }]) => `${column} ${type}${isSmall(type) ? '' : ZSTD}`)
  return [
    `CREATE TABLE IF NOT EXISTS \${database}.${name} (\n  ${[...own, ...more].join(',\n  ')}\n) ENGINE = ReplacingMergeTree(Version, Gone)`,
    'PARTITION BY toMonday(Timestamp)',
    `ORDER BY (${key.join(', ')})`,
    'SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 0;',
  ].join('\n')
}

const isSmall = (type: string): boolean => type === 'Bool' || type === 'UInt8' || type.startsWith('LowCardinality')

/**
 * Returns SQL for the state of a row at a time, which is SQL for a DateTime64. A row says itself when its plan becomes
 * interrupted if nothing more arrives. `row` is what stands before the names of its columns.
 */
export const stateAt = (time: string, row: 'span.' | '' = ''): string =>
  `if(${row}InterruptedAt <= ${time}, 'interrupted', ${row}State)`
