import { z } from 'zod'

import { problemSchema } from './problem-schema.js'
import { FOUND, json, type RouteTable } from './route-table.js'

/** The body of `POST /api/sql`. */
export const SQL_BODY = z.strictObject({
  sql: z.string().min(1).max(100_000).describe('One SELECT, SHOW, DESCRIBE or EXPLAIN, without FORMAT and SETTINGS.'),
  parameters: z
    .record(z.string().regex(/^\w+$/), z.string())
    .exactOptional()
    .describe('The values of {name:Type} in the query, as text.'),
  rows: z.number().int().min(1).max(10_000).exactOptional().describe('The maximum number of rows, 1000 by default.'),
  bytes: z
    .number()
    .int()
    .min(1)
    .max(4 << 20)
    .exactOptional()
    .describe('The maximum size of the rows in bytes, 1 MiB by default. At least one row is returned.'),
})

/** The response of `POST /api/sql`. */
export const sqlAnswerSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string().describe('A ClickHouse type.') })),
  rows: z.array(z.array(z.unknown())).describe('64-bit integers as text.'),
  cut: z.enum(['rows', 'bytes']).nullable().describe('The limit that was reached; null if all rows are returned.'),
})

/** The rows of an SQL query, with the names and types of their columns. */
export type SqlAnswer = z.output<typeof sqlAnswerSchema>

export const SQL_ROUTES = {
  'POST /api/sql': {
    scope: 'read',
    client: ['sql'],
    summary: 'Runs an SQL query as ClickHouse’s read-only user, and returns the first rows.',
    body: SQL_BODY,
    answers: {
      200: json('The rows.', sqlAnswerSchema),
      400: {
        description: 'ClickHouse rejects the query, or the query exceeds the limits of time or memory.',
        schema: problemSchema,
      },
      403: json('The user may not run the query, or the server has no read-only user.', problemSchema),
      503: FOUND[503],
    },
  },
} as const satisfies RouteTable
