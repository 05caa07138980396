import { ATTR } from '../../semconv/index.js'
import { literal } from '../client/sql-file.js'
import type { StoredColumn } from '../schema/stored-columns.js'
import { LINK_ROW, PLAN_ROW, STEP_ROW, REVIEW_ROW, SPAN_ROW } from './table-columns.js'
import type { RowColumns } from './row-column.js'
import { COMPUTED_BESIDE } from './row-fields.js'

/** A table that the indexer writes. Among rows with the same key, the highest version counts. */
export interface RowTable {
  readonly name: string
  readonly columns: RowColumns
  /** The columns of the sorting key, which identifies a row. */
  readonly key: readonly string[]
  /** The columns that an insert computes from `SpanAttributes`. */
  readonly computed: readonly StoredColumn[]
  readonly indexes: readonly string[]
}

const ZSTD = ' CODEC(ZSTD(1))'
const BY_TRACE = 'INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1'
const BY_PLAN = 'INDEX idx_plan_id PlanId TYPE bloom_filter(0.001) GRANULARITY 1'

export const ROW_TABLES = {
  plans: {
    name: 'plan_rows',
    columns: PLAN_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId'],
    computed: COMPUTED_BESIDE.plans,
    indexes: [
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
    computed: COMPUTED_BESIDE.spans,
    indexes: [BY_TRACE, BY_PLAN],
  },
  steps: {
    name: 'step_rows',
    columns: STEP_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId', 'StepIndex'],
    computed: [],
    indexes: [BY_TRACE, BY_PLAN],
  },
  reviews: {
    name: 'review_rows',
    columns: REVIEW_ROW,
    key: ['Timestamp', 'TraceId', 'PlanId', 'Position'],
    computed: [],
    indexes: [BY_TRACE, BY_PLAN],
  },
  links: {
    name: 'link_rows',
    columns: LINK_ROW,
    key: ['Key', 'Side', 'Timestamp', 'TraceId', 'EndTraceId'],
    computed: [],
    indexes: [BY_TRACE, 'INDEX idx_end_trace_id EndTraceId TYPE bloom_filter(0.001) GRANULARITY 1'],
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
export function rowTableDdl({ name, columns, key, computed, indexes }: RowTable): string {
  const own = Object.entries(columns).map(([column, { type }]) =>
    column === 'RootPlanId' ? ROOT_PLAN : declared(column, type),
  )
  const added = computed.map((column) => declared(column.name, column.type))
  return [
    `CREATE TABLE IF NOT EXISTS \${database}.${name} (\n  ${[...own, ...added, ...indexes].join(',\n  ')}\n) ENGINE = ReplacingMergeTree(Version, Gone)`,
    'PARTITION BY toMonday(Timestamp)',
    `ORDER BY (${key.join(', ')})`,
    'SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 0;',
  ].join('\n')
}

const declared = (column: string, type: string): string => `${column} ${type}${isSmall(type) ? '' : ZSTD}`

const isSmall = (type: string): boolean => type === 'Bool' || type === 'UInt8' || type.startsWith('LowCardinality')

/**
 * Returns SQL for the state of a row at a time, given as SQL for a DateTime64. A row contains the time at which its
 * plan becomes interrupted unless more spans arrive. `row` is the prefix of its columns.
 */
export const stateAt = (time: string, row: 'span.' | '' = ''): string =>
  `if(${row}InterruptedAt <= ${time}, 'interrupted', ${row}State)`

/** Most plans are outermost plans: `SubPlanOf` is empty for them. */
const ROOT_PLAN = `SubPlanOf String${ZSTD},\n  RootPlanId String ALIAS if(SubPlanOf = '', PlanId, SubPlanOf)`

/** Returns the attributes that are columns of a row; `SpanAttributes` contains the others. */
export const columnKeys = (computed: readonly StoredColumn[]): string[] => [
  ATTR.spanKind,
  ATTR.planId,
  ATTR.planRootId,
  ...computed.map(({ key }) => key),
]

/**
 * Returns the beginning of an INSERT of rows with some columns, up to its FORMAT. It computes the columns that a table
 * has for attributes.
 */
export function rowInsert({ name, columns, computed }: RowTable, written: readonly string[]): string {
  const own = written.map((column): [name: string, value: string] => {
    if (column === 'RootPlanId') return ['SubPlanOf', `if(RootPlanId = PlanId, '', RootPlanId)`]
    if (column !== 'SpanAttributes') return [column, column]
    const keys = columnKeys(computed).map(literal).join(', ')
    return [column, `mapFilter((key, value) -> key NOT IN (${keys}), SpanAttributes)`]
  })
  const added = computed.map((each): [name: string, value: string] => [each.name, each.expression])
  const values = written.includes('SpanAttributes') ? [...own, ...added] : own
  const types = written.map((column) => `${column} ${columns[column]?.type ?? 'String'}`).join(', ')
  return [
    `INSERT INTO \${database}.${name} (${values.map(([column]) => column).join(', ')})`,
    `SELECT ${values.map(([, value]) => value).join(', ')}`,
    `FROM input(${literal(types)})`,
  ].join('\n')
}
