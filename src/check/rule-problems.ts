import type { z } from 'zod'

import { isData } from '../semconv/index.js'
import { type Rule, rulesJsonSchema, rulesSchema } from './rules.js'

/** What is wrong with rules, and where. */
export interface RuleProblem {
  /** The keys and indexes that lead to the wrong value, or to the object with an unknown key. */
  readonly path: readonly PropertyKey[]
  /** The unknown key. */
  readonly key?: string
  readonly text: string
}

/** The rules, or what is wrong with them. */
export type CheckedRules = { readonly rules: readonly Rule[] } | { readonly problems: readonly RuleProblem[] }

/** Checks the data of a file of rules. */
export function readRules(data: unknown): CheckedRules {
  const result = rulesSchema.safeParse(data)
  if (result.success) return result.data
  const schema = rulesJsonSchema()
  return { problems: result.error.issues.flatMap((issue) => problemsOf(issue, [], { data, schema })) }
}

type Issue = z.core.$ZodIssue

interface Given {
  readonly data: unknown
  readonly schema: unknown
}

function problemsOf(issue: Issue, above: readonly PropertyKey[], given: Given): RuleProblem[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const known = [...keysAt(given.schema, path)].join(', ')
    return issue.keys.map((key) => ({
      path,
      key,
      text: `${place(path)} has the unknown key ${key}; allowed: ${known}`,
    }))
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => !isOfOtherType(branch))
    return meant
      ? meant.flatMap((one) => problemsOf(one, path, given))
      : [{ path, text: `${place(path)} is ${shown(valueAt(given.data, path))}; expected ${expectedOf(issue.errors)}` }]
  }
  const value = valueAt(given.data, path)
  if (issue.code === 'custom') return [{ path, text: `${place(path)} ${issue.message}` }]
  const wanted =
    issue.code === 'invalid_value'
      ? `allowed: ${issue.values.join(', ')}`
      : issue.code === 'invalid_type'
        ? `expected ${issue.expected}`
        : issue.message
  return [{ path, text: `${place(path)} is ${value === undefined ? 'missing' : shown(value)}; ${wanted}` }]
}

/** Whether a value is of another type than an alternative of a schema. */
const isOfOtherType = (branch: readonly Issue[]): boolean =>
  branch.some(
    (one) =>
      one.path.length === 0 &&
      (one.code === 'invalid_type' || (one.code === 'invalid_union' && one.errors.every(isOfOtherType))),
  )

const expectedOf = (branches: readonly (readonly Issue[])[]): string => [...new Set(typesOf(branches))].join(' or ')

const typesOf = (branches: readonly (readonly Issue[])[]): string[] =>
  branches
    .flat()
    .flatMap((one) =>
      one.code === 'invalid_type' ? one.expected : one.code === 'invalid_union' ? typesOf(one.errors) : [],
    )

/** Returns a path in words, without the position of the rule, which the name of the rule replaces. */
function place(path: readonly PropertyKey[]): string {
  const [first, , ...inRule] = path
  if (first === undefined) return 'the file'
  return inRule.length > 0 ? inRule.map(String).join('.') : path.length > 1 ? 'the rule' : String(first)
}

const MAX_SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Returns the value at a path of data. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data
  for (const key of path)
    value = isData(value) || Array.isArray(value) ? (value as Record<PropertyKey, unknown>)[key] : undefined
  return value
}

/** Returns the keys that a JSON Schema permits at a path, in any of its alternatives. */
function keysAt(schema: unknown, [first, ...rest]: readonly PropertyKey[]): Set<string> {
  if (!isData(schema)) return new Set()
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const found = alternatives.flatMap((one) => [...keysAt(one, first === undefined ? [] : [first, ...rest])])
  const properties = isData(schema['properties']) ? schema['properties'] : {}
  if (first === undefined) return new Set([...found, ...Object.keys(properties)])
  const next =
    typeof first === 'number' ? schema['items'] : (properties[String(first)] ?? schema['additionalProperties'])
  return new Set([...found, ...keysAt(next, rest)])
}
