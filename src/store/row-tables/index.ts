export { PLAN_ROW, type PlanRowValues } from './plan-columns.js'
export { REVIEW_ROW, type ReviewRowValues } from './review-columns.js'
export { dateTime } from './row-column.js'
export type { RowColumn, RowColumns } from './row-column.js'
export { ROW_COLUMN_OF } from './row-fields.js'
export {
  columnKeys,
  INDEX_TABLES,
  ROW_TABLES,
  rowInsert,
  type RowTable,
  rowTableDdl,
  stateAt,
  WATERMARKS,
} from './row-tables.js'
export type { SpanRowValues } from './span-columns.js'
export { STEP_ROW, type StepRowValues } from './step-columns.js'
