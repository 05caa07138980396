import { z } from 'zod'

import type { SqlAnswer, SqlQuery } from '../../client/index.js'
import { brief, costOf } from '../answer-room.js'
import { defineTool, type Work } from '../define-tool.js'

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
const MAX_WIDE = 20

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

/** Runs an SQL query over the views. */
export const querySql = defineTool({
  name: 'query_sql',
  title: 'Run an SQL query',
  description:
    'Runs one SELECT in ClickHouse’s SQL over planspan’s views, for questions that no other tool answers. Views: plans, ' +
    'plan_usage, steps, plannings, agents, think_acts, tool_calls, model_calls, risks, research_calls, reviews, waits, spans. ' +
    'Run DESCRIBE plans (or another view) first: it explains each column. Join views by TraceId and PlanId. Durations are in ' +
    'milliseconds. Sum over root plans (IsRoot) or over sub-plans, never both. A filter on Timestamp makes queries fast. ' +
    'ask_question lists example queries. Queries run as ClickHouse’s read-only user with limits of 10 seconds and 1 GiB. ' +
    'Writes, SETTINGS, FORMAT, other servers and files are rejected. SQL is disabled if planspan uses an external ClickHouse. ' +
    'Pass values with {name:Type} and parameters, so that they need no quoting.',
  input: z.object({
    sql: z.string().min(1).max(20_000).describe('One SELECT, SHOW, DESCRIBE or EXPLAIN, without FORMAT and SETTINGS.'),
    parameters: z
      .record(z.string().regex(/^\w+$/), z.string())
      .optional()
      .describe('The values of {name:Type} in the query, as text: {"id": "plan-1"} for {id:String}.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_ROWS)
      .default(100)
      .describe('The maximum number of rows. Fewer are returned if the answer would be too large.'),
  }),
  output: z.object(SQL_ANSWER),
  run: ({ sql, parameters, limit }, work) => askSql({ sql, ...(parameters && { parameters }) }, work, limit),
})
