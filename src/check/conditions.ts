import { z } from 'zod'

import { isData } from '../semconv/index.js'
import { matchesName, pattern } from './patterns.js'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** A condition on the value of an argument. */
export const condition = z
  .union([
    scalar,
    z.array(scalar).min(1),
    z.strictObject({
      above: z.number().exactOptional().describe('The value is a number above this one.'),
      below: z.number().exactOptional().describe('The value is a number below this one.'),
      not: z
        .union([scalar, z.array(scalar).min(1)])
        .exactOptional()
        .describe('The value is missing, or differs from all of these.'),
      matches: pattern.exactOptional().describe('The value as text contains a match.'),
      exists: z.boolean().exactOptional().describe('Whether the argument is present.'),
    }),
  ])
  .describe('A value, a list of values, or a condition. `*` in a text stands for any text.')

export type Condition = z.output<typeof condition>
type Scalar = z.output<typeof scalar>

/** Whether the values at an argument's path fulfill a condition: one of them does, or for `not` all of them. */
export function fulfills(values: readonly unknown[], sought: Condition): boolean {
  if (!isData(sought)) return values.some((value) => isOneOf(value, sought as Scalar | Scalar[]))
  const { above, below, not, matches, exists } = sought as Exclude<Condition, Scalar | Scalar[]>
  if (exists !== undefined && exists !== values.length > 0) return false
  if (not !== undefined && values.some((value) => isOneOf(value, not))) return false
  if (above === undefined && below === undefined && matches === undefined) return true
  const expression = matches === undefined ? undefined : new RegExp(matches, 'u')
  return values.some(
    (value) =>
      (above === undefined || Number(value) > above) &&
      (below === undefined || Number(value) < below) &&
      (expression === undefined || expression.test(textOf(value))),
  )
}

const isOneOf = (value: unknown, sought: Scalar | Scalar[]): boolean =>
  [sought].flat().some((each) => (typeof each === 'string' ? matchesName(each, textOf(value)) : each === value))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the values at a dotted path. Each item of a list is searched; the path may also name a key that has dots. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  if (!isData(value)) return []
  if (Object.hasOwn(value, path)) return valuesAt(value[path], '')
  const dot = path.indexOf('.')
  const key = path.slice(0, dot)
  return dot > 0 && Object.hasOwn(value, key) ? valuesAt(value[key], path.slice(dot + 1)) : []
}
