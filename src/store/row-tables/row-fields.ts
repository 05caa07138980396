import {
  type AnyField,
  ATTR,
  everySpanFields,
  guardrailFields,
  planFields,
  type Role,
  ROLE_FIELDS,
  ROLES,
  waitFields,
} from '../../semconv/index.js'
import { type ColumnOf, computedColumn, STORED_COLUMNS, type StoredColumn } from '../schema/stored-columns.js'
import { PLAN_ROW, SPAN_ROW } from './table-columns.js'
import type { RowColumns } from './row-column.js'

/** Fields that lists show, or by which views of plans and spans are often filtered: columns of the row tables. */
const PLAN_FIELDS: Readonly<Record<string, AnyField>> = {
  Workflow: planFields.workflow,
  Title: planFields.title,
  Status: everySpanFields.status,
  BudgetTokens: planFields.budgetTokens,
  BudgetCostUsd: planFields.budgetCostUsd,
  TotalDurationSeconds: planFields.totalDurationSeconds,
}
const SPAN_FIELDS: Readonly<Record<string, AnyField>> = {
  RiskScore: guardrailFields.score,
  IsSafe: guardrailFields.isSafe,
  Policies: guardrailFields.policies,
  WaitReason: waitFields.reason,
}

/** Attributes that other columns contain, or that describe how the span was sent. */
const OTHERWISE: ReadonlySet<string> = new Set([
  ATTR.errorMessage,
  ATTR.recordDialect,
  ATTR.spanState,
  ATTR.pendingSpanId,
  ATTR.pendingParentSpanId,
])

/** The columns that ClickHouse computes in `plan_rows` and `span_rows`. */
export const COMPUTED_BESIDE = {
  plans: computed(['plan'], PLAN_ROW, PLAN_FIELDS),
  spans: computed(
    ROLES.filter((role) => role !== 'plan'),
    SPAN_ROW,
    SPAN_FIELDS,
  ),
} as const

/** The same by attribute. */
export const ROW_COLUMN_OF: Readonly<Record<keyof typeof COMPUTED_BESIDE, ColumnOf>> = {
  plans: byKey(COMPUTED_BESIDE.plans),
  spans: byKey(COMPUTED_BESIDE.spans),
}

/** The computed columns of the span table for the fields of some roles, and those of more fields. */
function computed(
  roles: readonly Role[],
  columns: RowColumns,
  fields: Readonly<Record<string, AnyField>>,
): StoredColumn[] {
  const tables = [everySpanFields, ...roles.map((role) => ROLE_FIELDS[role])]
  const keys = new Set(tables.flatMap((table) => Object.values<AnyField>(table).map(({ key }) => key)))
  const stored = STORED_COLUMNS.filter(({ name, key }) => keys.has(key) && !(name in columns) && !OTHERWISE.has(key))
  const names = new Set(stored.map(({ name }) => name))
  const more = Object.entries(fields).filter(([name]) => !names.has(name))
  return [...stored, ...more.map(([name, field]) => computedColumn(name, field))]
}

function byKey(columns: readonly StoredColumn[]): ColumnOf {
  return new Map(columns.map((column) => [column.key, column]))
}
