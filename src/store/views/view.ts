import type { ViewColumn } from './column.js'

/** A view for people and dashboards. */
export interface View {
  readonly name: string
  /** What a row is. */
  readonly comment: string
  readonly columns: readonly ViewColumn[]
  /** Whether it leaves out what a later generation of an imported record has superseded. */
  readonly isDeciding: boolean
  /** A SELECT of these columns, with `${database}` left open. */
  readonly sql: string
}
