import { ATTR } from '../../semconv/index.js'
import { type ViewColumn } from '../views/column.js'
import { nothing } from './role-branch.js'

/** What `Holds` says of a trace: bits for what is among its spans. */
const AGENT = 1
const TOOL = 2
const MODEL_CALL = 4
const PLAN = 8

const hasAny = (bits: number): string => `bitAnd(Held, ${String(bits)}) != 0`
const hasAll = (bits: number): string => `bitAnd(Held, ${String(bits)}) = ${String(bits)}`

/** Whether it stands in lists: model calls alone do not. */
export const IS_LISTED = `${hasAny(AGENT | TOOL)} OR ${hasAll(MODEL_CALL | PLAN)}`

/** What the columns of a plan's row are of a row of `fragments/foreign_plans.sql`. */
const COLUMNS: Readonly<Record<string, string>> = {
  Timestamp: 'Began',
  TraceId: 'Trace',
  ServiceName: 'toLowCardinality(Service)',
  PlanId: 'Trace',
  RootPlanId: 'Trace',
  ConversationId: 'Talk',
  Told: 'Stood',
  Ended: `toBool(Stood != 'running')`,
  State: 'Stood',
  DurationMs: `if(Stood = 'running', NULL, toUnixTimestamp64Nano(Until) - toUnixTimestamp64Nano(Began)) / 1000000`,
  IsOnlyRow: 'true',
  Convention: 'Spoken',
  LastNanoseconds: 'toUnixTimestamp64Nano(Until)',
  [ATTR.planTitle]: 'Called',
  [ATTR.inputMessages]: 'Asked',
}

/** Traces of other instrumentations, as `fragments/foreign_plans.sql` has them, in the columns of plans. */
export const foreignPlans = (columns: readonly ViewColumn[], traces: string): string =>
  `SELECT\n  ${columns
    .map(
      (column) => `${COLUMNS['key' in column ? String(column.key) : column.name] ?? nothing(column)} AS ${column.name}`,
    )
    .join(',\n  ')}\nFROM (\n${traces}\n)`
