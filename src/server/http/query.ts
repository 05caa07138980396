import type { Context } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { unixNanoOf } from '../../mapping/index.js'
import { STATES } from '../../semconv/index.js'

/**
 * Reads the query parameters of a request; those that are lists are given as often as they have items. Throws a
 * `usage` error that names the bad ones.
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

/** The parameters of a request, from its query or its JSON. Throws `usage` that names the bad ones. */
export function checkParameters<Schema extends z.ZodObject>(given: unknown, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const known = Object.keys(schema.shape).join(', ')
  const reasons = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is unknown here (known: ${known})`
    const name = issue.path.join('.')
    if (issue.code !== 'invalid_value') return `${name}: ${issue.message}`
    return `${name}: ${JSON.stringify((given as Record<string, unknown>)[name])} is none of ${issue.values.join(', ')}`
  })
  throw new PlanspanError('usage', `Bad parameters: ${reasons.join('; ')}.`)
}

/** `true` or `false`. */
export const booleanParameter = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A name or an id, of which one is asked for, as the list that the store takes. */
export const wordParameter = z
  .string()
  .min(1)
  .transform((text) => [text])

/** States, separated by commas. */
export const statesParameter = z.string().transform((text, context) => {
  const names = text.split(',').map((name) => name.trim())
  const states = STATES.filter((state) => names.includes(state))
  const unknown = names.find((name) => !STATES.some((state) => state === name))
  if (unknown === undefined) return states
  context.addIssue(`${JSON.stringify(unknown)} is none of ${STATES.join(', ')}`)
  return z.NEVER
})

const NUMBER = /^(\d+(\.\d*)?|\.\d+)(e-?\d+)?$/i

/** A number that is not negative. */
export const numberParameter = z.string().transform((text, context) => {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(number)) return number
  context.addIssue(`${JSON.stringify(text)} is no number from 0 on such as 0.5 or 20000`)
  return z.NEVER
})

/** How many: 1 to 1000. */
export const countParameter = z.coerce.number().int().min(1).max(1000)

/** How many are left out. */
export const offsetParameter = z.coerce.number().int().min(0).max(1_000_000)

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/
type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 }
const MAX_DURATION_MS = 1e12

/** A length of time → milliseconds. */
export const durationParameter = z.pipe(
  z.string<Duration>(),
  z.transform((text, context) => {
    const [, count = '', unit = ''] = DURATION.exec(text) ?? []
    const milliseconds = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
    if (milliseconds <= MAX_DURATION_MS) return milliseconds
    context.addIssue(`${JSON.stringify(text)} is no length of time such as 500ms, 90s, 15m, 2h or 7d`)
    return z.NEVER
  }),
)

const DATE = /^\d{4}-\d\d-\d\d$/

/** An ISO 8601 date or date-time, in UTC unless it names a zone → nanoseconds since the Unix epoch. */
export const timeParameter = z.string().transform((text, context) => {
  const time = unixNanoOf(DATE.test(text) ? `${text}T00:00` : text, 'UTC')
  if (time !== undefined) return time
  context.addIssue(`${JSON.stringify(text)} is no ISO 8601 time such as 2026-03-04 or 2026-03-04T12:00:00Z`)
  return z.NEVER
})
