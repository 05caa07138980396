import { z } from 'zod'

import { askSql, MAX_ROWS, SQL_ANSWER } from '../sql-answer.js'
import { defineTool } from '../define-tool.js'

/** Runs an SQL query over the views. */
export const querySql = defineTool({
  name: 'query_sql',
  title: 'Query in SQL',
  description:
    'Answers one SELECT in ClickHouse’s SQL over planspan’s views, for what no other tool counts or finds. Views: plans, ' +
    'plan_usage, steps, plannings, agents, think_acts, tool_calls, model_calls, risks, research_calls, reviews, waits, spans. ' +
    'Ask DESCRIBE plans (or another) first: it explains each column. Rows join by TraceId and PlanId; durations are in ' +
    'milliseconds; sum over root plans (IsRoot) or over sub-plans, never both; a filter on Timestamp makes it fast. ' +
    'ask_question has queries to begin with. It runs as ClickHouse’s read-only user, at most 10 seconds and 1 GiB: anything ' +
    'but reading is refused, and so are the word SETTINGS, FORMAT, other servers and files; where planspan works on a ' +
    'ClickHouse of somebody’s own, SQL is closed. Values come as {name:Type} by parameters, so that no quoting is needed.',
  input: z.object({
    sql: z.string().min(1).max(20_000).describe('One SELECT, SHOW, DESCRIBE or EXPLAIN, without FORMAT and SETTINGS.'),
    parameters: z
      .record(z.string().regex(/^\w+$/), z.string())
      .optional()
      .describe('The values of {name:Type} in it, as text: {"id": "plan-1"} for {id:String}.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_ROWS)
      .default(100)
      .describe('How many rows, as far as one answer holds them.'),
  }),
  output: z.object(SQL_ANSWER),
  run: ({ sql, parameters, limit }, work) => askSql({ sql, ...(parameters && { parameters }) }, work, limit),
})
