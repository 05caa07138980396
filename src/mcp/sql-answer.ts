import { z } from 'zod'

import type { SqlAnswer, SqlQuery } from '../client/index.js'
import { brief, costOf } from './answer-room.js'
import type { Work } from './define-tool.js'

/** The result of a query. */
export const SQL_ANSWER = {
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.unknown())).describe('The rows. 64-bit integers are texts. A text that ends with … is cut.'),
  more: z.boolean().describe('Whether there are more rows. Use LIMIT and OFFSET, or select fewer columns.'),
}

/** The maximum number of rows of an answer. */
export const MAX_ROWS = 1_000
const MAX_BYTES = 1 << 20
const CELL_BYTES = 2_500
const NAME_BYTES = 400

/** Runs an SQL query. */
export async function askSql(
  query: Pick<SqlQuery, 'sql' | 'parameters'>,
  { client, room, signal }: Work,
  rows: number,
) {
  const answer = await client.sql({ ...query, rows, bytes: MAX_BYTES }, { signal })
  const columns = room.fill(answer.columns.map(columnOf), 0.5)
  const shown = room.fill(answer.rows.map((row) => row.map(cellOf(row.length))))
  if (columns.length < answer.columns.length || (shown.length === 0 && answer.rows.length > 0)) {
    throw new Error('A row is larger than an answer. Select fewer columns, or only the beginning of long texts.')
  }
  return { columns, rows: shown, more: answer.cut !== null || shown.length < answer.rows.length }
}

const columnOf = ({ name, type }: SqlAnswer['columns'][number]) => ({
  name: brief(name, NAME_BYTES),
  type: brief(type, NAME_BYTES),
})

/** Returns a function that cuts the long values of a row with the given number of columns to text. */
const cellOf = (columns: number) => {
  const most = columns <= MAX_WIDE ? CELL_BYTES : CELL_BYTES / 5
  return (value: unknown): unknown => {
    if (costOf(value) <= most) return value
    return brief(typeof value === 'string' ? value : JSON.stringify(value), most)
  }
}
const MAX_WIDE = 20
