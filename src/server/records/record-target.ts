import type { Context } from 'hono'
import type { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { recordIdOf } from '../../wire/record-path/index.js'
import { pathParameter, readQuery } from '../http/index.js'

/** Reads the id and the query of a request for a record. Throws `usage` for a malformed id or query. */
export const readTarget = <Schema extends z.ZodObject>(
  c: Context,
  schema: Schema,
): { readonly id: string; readonly choice: z.output<Schema> } => ({ id: readId(c), choice: readQuery(c, schema) })

function readId(c: Context): string {
  const segment = pathParameter(c, 'id')
  const id = recordIdOf(segment)
  if (id !== undefined) return id
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(segment)} is malformed. Behind the ~, an id is written in base64url of its UTF-8 form: ~YS9i is "a/b".`,
  )
}
