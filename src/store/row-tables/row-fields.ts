import { type AnyField, everySpanFields, guardrailFields, planFields, waitFields } from '../../semconv/index.js'
import { type ColumnOf, computedColumn, STORED_COLUMNS, type StoredColumn } from '../stored-columns.js'
import { PLAN_ROW } from './plan-row.js'
import type { RowColumns } from './row-column.js'
import { SPAN_ROW } from './span-row.js'

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

/** The columns that ClickHouse computes in `plan_rows` and `span_rows`. */
export const COMPUTED_BESIDE = {
  plans: computed(PLAN_ROW, PLAN_FIELDS),
  spans: computed(SPAN_ROW, SPAN_FIELDS),
} as const

/** The same by attribute. */
export const ROW_COLUMN_OF: Readonly<Record<keyof typeof COMPUTED_BESIDE, ColumnOf>> = {
  plans: byKey(COMPUTED_BESIDE.plans),
  spans: byKey(COMPUTED_BESIDE.spans),
}

function computed(columns: RowColumns, fields: Readonly<Record<string, AnyField>>): StoredColumn[] {
  const stored = STORED_COLUMNS.filter(({ name }) => !(name in columns))
  const names = new Set(stored.map(({ name }) => name))
  const more = Object.entries(fields).filter(([name]) => !names.has(name))
  return [...stored, ...more.map(([name, field]) => computedColumn(name, field))]
}

function byKey(columns: readonly StoredColumn[]): ColumnOf {
  return new Map(columns.map((column) => [column.key, column]))
}
