import type { Row } from '../../../viewer/src/model/row.js'
import { treeOf } from '../../../viewer/src/model/tree.js'

/** A row of a tool call by default. */
export const row = (id: string, parent: string | null, more: Partial<Row> = {}): Row => ({
  id,
  parent,
  role: 'tool',
  name: id,
  label: '',
  start: 0,
  duration: 10,
  state: 'completed',
  failed: false,
  pending: false,
  tokens: null,
  risk: null,
  judgement: null,
  segment: 0,
  failure: null,
  costUsd: null,
  ...more,
})

export const treeWith = (...rows: Row[]) => treeOf(new Map(rows.map((one) => [one.id, one])))
export const ids = (nodes: readonly { row: Row }[]) => nodes.map(({ row: { id } }) => id)
