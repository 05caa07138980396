import type { Context } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'

/**
 * Reads the query parameters of a request; a list parameter is repeated for each of its items. Throws a `usage` error
 * that names the invalid parameters.
 */
export function readQuery<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  const given = Object.entries(c.req.queries())
  const isMany = (name: string): boolean => isList(schema.shape[name])
  const query = Object.fromEntries(given.map(([name, values]) => [name, isMany(name) ? values : values[0]]))
  const repeated = given.filter(([name, values]) => values.length > 1 && !isMany(name))
  if (repeated.length > 0) {
    const names = repeated.map(([name]) => name).join(', ')
    throw new PlanspanError('usage', `Bad parameters: ${names} is given more than once.`)
  }
  return checkParameters(query, schema)
}

const isList = (schema: unknown): boolean =>
  schema instanceof z.ZodArray ||
  ((schema instanceof z.ZodExactOptional || schema instanceof z.ZodPrefault) && isList(schema.def.innerType))

/**
 * Checks the parameters of a request, from its query or its JSON body. Throws a `usage` error that names the invalid
 * parameters.
 */
export function checkParameters<Schema extends z.ZodObject>(given: unknown, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const known = Object.keys(schema.shape).join(', ')
  const reasons = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is unknown here (known: ${known})`
    const name = issue.path.join('.')
    if (issue.code !== 'invalid_value') return `${name}: ${issue.message}`
    return `${name}: ${JSON.stringify((given as Record<string, unknown>)[name])} is not one of ${issue.values.join(', ')}`
  })
  throw new PlanspanError('usage', `Bad parameters: ${reasons.join('; ')}.`)
}
