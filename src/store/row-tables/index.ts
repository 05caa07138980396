export { PLAN_ROW, STEP_ROW, REVIEW_ROW, SPAN_ROW } from './table-columns.js'
export type { LinkRowValues, PlanRowValues, StepRowValues, ReviewRowValues, SpanRowValues } from './table-columns.js'
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
