import { createHash } from 'node:crypto'

import { fillSql, literal } from '../client/sql-file.js'
import type { ViewColumn } from './column.js'

/** The end of a view's comment: marks planspan's views and identifies the definition. */
export const definitionMark = (view: View): string => {
  const definition = [columnList(view), view.comment, ...select(view)].join('\n')
  return `[planspan ${createHash('sha256').update(definition).digest('hex').slice(0, 12)}]`
}

/** The statement that creates or replaces a view; `on` is an ON CLUSTER clause. */
export function viewDdl(view: View, { database, on = '' }: { database: string; on?: string }): string {
  return [
    `CREATE OR REPLACE VIEW ${database}.${view.name}${on}${columnList(view)} AS`,
    ...select(view).map((line) => fillSql(line, { database })),
    `COMMENT ${literal(`${view.comment} ${definitionMark(view)}`)}`,
  ].join('\n')
}

/** The columns with their meanings; empty for a view whose columns are those of its table, which explain themselves. */
function columnList({ columns }: View): string {
  if (columns.every(({ comment }) => comment === '')) return ''
  const list = columns.map(({ name, type, comment }) => `  ${name} ${type} COMMENT ${literal(comment)}`)
  return ` (\n${list.join(',\n')}\n)`
}

const select = ({ sql }: View): string[] => [
  sql,
  // Without the first setting ClickHouse reads a span's attributes again for each requested key, without the second it
  // compares rows of different days or weeks.
  'SETTINGS optimize_functions_to_subcolumns = 0, do_not_merge_across_partitions_select_final = 1',
]

/** A view for people and dashboards. */
export interface View {
  readonly name: string
  /** Describes a row. */
  readonly comment: string
  readonly columns: readonly ViewColumn[]
  /** A SELECT of these columns in this order, with `${database}` left open. */
  readonly sql: string
}
