import type { ViewColumn } from './column.js'

/** A view for people and dashboards. */
export interface View {
  readonly name: string
  /** What a row is. */
  readonly comment: string
  readonly columns: readonly ViewColumn[]
  /** A SELECT of these columns in this order, with `${database}` left open. */
  readonly sql: string
}
