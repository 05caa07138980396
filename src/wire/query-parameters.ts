import { z } from 'zod'

import { CONVENTIONS, DIALECT_NAMES, unixNanoOf } from '../mapping/index.js'
import { STATES } from '../semconv/index.js'
import { describedFilter, type FilterKind, PLAN_FILTERS, type PlanFilterName } from './filters/index.js'

/** `true` or `false`. */
export const booleanParameter = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A name or an id, as the list that the store expects. */
const wordParameter = z
  .string()
  .min(1)
  .transform((text) => [text])

/** States, separated by commas. */
const statesParameter = z.string().transform((text, context) => {
  const names = text.split(',').map((name) => name.trim())
  const states = STATES.filter((state) => names.includes(state))
  const unknown = names.find((name) => !STATES.some((state) => state === name))
  if (unknown === undefined) return states
  context.addIssue(`${JSON.stringify(unknown)} is not one of ${STATES.join(', ')}`)
  return z.NEVER
})

const NUMBER = /^(\d+(\.\d*)?|\.\d+)(e-?\d+)?$/i

/** A number that is not negative. */
const numberParameter = z.string().transform((text, context) => {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(number)) return number
  context.addIssue(`${JSON.stringify(text)} is not a non-negative number such as 0.5 or 20000`)
  return z.NEVER
})

/** The size of a page: 1 to 1000. */
export const countParameter = z.coerce.number().int().min(1).max(1000)

/** The number of items to skip. */
export const offsetParameter = z.coerce.number().int().min(0).max(1_000_000)

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/
type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 }
const MAX_DURATION_MS = 1e12

/** A duration → milliseconds. */
export const durationParameter = z.pipe(
  z.string<Duration>(),
  z.transform((text, context) => {
    const [, count = '', unit = ''] = DURATION.exec(text) ?? []
    const milliseconds = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
    if (milliseconds <= MAX_DURATION_MS) return milliseconds
    context.addIssue(`${JSON.stringify(text)} is not a duration such as 500ms, 90s, 15m, 2h or 7d`)
    return z.NEVER
  }),
)

const DATE = /^\d{4}-\d\d-\d\d$/

/** An ISO 8601 date or date-time, in UTC unless the text contains a zone → nanoseconds since the Unix epoch. */
const timeParameter = z.string().transform((text, context) => {
  const time = unixNanoOf(DATE.test(text) ? `${text}T00:00` : text, 'UTC')
  if (time !== undefined) return time
  context.addIssue(`${JSON.stringify(text)} is not an ISO 8601 time such as 2026-03-04 or 2026-03-04T12:00:00Z`)
  return z.NEVER
})

/** A family's name, such as `plan-act`, selects all its serializations, such as `plan-act:sse`. */
const DIALECTS_AND_FAMILIES = [...new Set(DIALECT_NAMES.flatMap((name) => [name, name.replace(/:.*/, '')]))]

const PARAMETERS = {
  states: statesParameter,
  word: wordParameter,
  anyText: z.string(),
  text: z.string().min(1),
  dialect: z.enum(DIALECTS_AND_FAMILIES),
  convention: z.enum(CONVENTIONS),
  number: numberParameter,
  duration: durationParameter,
  time: timeParameter,
  boolean: booleanParameter,
} as const satisfies Readonly<Record<FilterKind, z.ZodType>>

const FORMS: Partial<Record<FilterKind, string>> = {
  states: 'separated by commas',
  time: 'ISO 8601, in UTC unless the text contains a zone',
  duration: 'such as 500ms, 90s, 15m, 2h or 7d',
}

type FilterParameters = {
  [Name in PlanFilterName]: z.ZodExactOptional<(typeof PARAMETERS)[(typeof PLAN_FILTERS)[Name]['kind']]>
}

/** The query parameters that select plans. */
export const FILTERS = Object.fromEntries(
  Object.entries(PLAN_FILTERS).map(([name, filter]) => [
    name,
    z.exactOptional(PARAMETERS[filter.kind]).describe(`${describedFilter(filter, FORMS)}.`),
  ]),
) as unknown as FilterParameters
