import { z } from 'zod'

import { askSql, MAX_ROWS, SQL_ANSWER } from '../sql-answer.js'
import { defineTool } from '../define-tool.js'

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
