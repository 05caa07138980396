import { z } from 'zod'

import { STATES } from '../../semconv/index.js'
import { describedFilter, type FilterKind, PLAN_FILTERS, type PlanFilterName } from '../../wire/filters/index.js'

const duration = z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/)

const ARGUMENTS: Readonly<Record<FilterKind, z.ZodType>> = {
  states: z.array(z.enum(STATES)),
  word: z.string().min(1),
  anyText: z.string(),
  text: z.string().min(1),
  dialect: z.string(),
  convention: z.string(),
  number: z.number().min(0),
  duration,
  time: z.string(),
  boolean: z.boolean(),
}

const FORMS: Partial<Record<FilterKind, string>> = {
  states: 'waiting plans wait for a person; interrupted plans stopped sending spans before they ended',
  time: 'ISO 8601, in UTC unless the text contains a zone',
  duration: 'such as 500ms, 90s, 15m, 2h or 7d',
}

/** The arguments that filter plans, from the filters of the HTTP interface. A plan must match all given arguments. */
export const FILTER_ARGUMENTS = Object.fromEntries(
  Object.entries(PLAN_FILTERS).map(([name, filter]) => [
    name,
    ARGUMENTS[filter.kind].optional().describe(`${describedFilter(filter, FORMS)}.`),
  ]),
) as unknown as Record<PlanFilterName, z.ZodOptional>
