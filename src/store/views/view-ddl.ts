import { createHash } from 'node:crypto'

import { fillSql } from '../sql-file.js'
import type { View } from './view.js'

/** What the comment of a view of planspan's ends with: tells its definition, and that it is planspan's. */
export const definitionMark = (view: View): string => {
  const definition = JSON.stringify([view.comment, view.columns, view.sql])
  return `[planspan ${createHash('sha256').update(definition).digest('hex').slice(0, 12)}]`
}

/** The statement that makes a view, or puts it in the place of an earlier definition; `on` is an ON CLUSTER clause. */
export function viewDdl(view: View, { database, on = '' }: { database: string; on?: string }): string {
  const columns = view.columns.map(({ name, type, comment }) =>
    comment === '' ? `  \`${name}\` ${type}` : `  \`${name}\` ${type} COMMENT ${literal(comment)}`,
  )
  return [
    `CREATE OR REPLACE VIEW ${database}.${view.name}${on} (\n${columns.join(',\n')}\n) AS`,
    `SELECT ${view.columns.map(({ name }) => `\`${name}\``).join(', ')} FROM (`,
    `${fillSql(view.sql, { database })}\n)`,
    `COMMENT ${literal(`${view.comment} ${definitionMark(view)}`)}`,
  ].join('\n')
}

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
