import type { AttributeType } from './codec.js'
import type { AnyField } from './field.js'
import { bookkeepingFields, FIELD_TABLES } from './fields/index.js'

type Tables = typeof FIELD_TABLES
type Line = { [Table in keyof Tables]: Tables[Table][keyof Tables[Table]] }[keyof Tables]

const LINES = Object.values(FIELD_TABLES).flatMap((table) => Object.values<AnyField>(table))

/**
 * Every attribute key that planspan writes or reads, out of the field tables. `gen_ai.*` follows the OpenTelemetry
 * GenAI semantic conventions (open-telemetry/semantic-conventions-genai at e9de14ba), `planspan.*` is planspan's own
 * namespace.
 */
export const ATTR = Object.fromEntries(LINES.map(({ name, key }) => [name, key])) as Attributes
type Attributes = { readonly [F in Line as F['name']]: F['key'] }

/** An attribute key of planspan's conventions. */
export type AttributeKey = (typeof ATTR)[keyof typeof ATTR]

const TYPES: ReadonlyMap<string, AttributeType> = new Map(LINES.map(({ key, type }) => [key, type]))
const STRUCTURAL = keysOf(({ structural }) => structural)
const STANDING = keysOf(({ standing }) => standing)

function keysOf(isOne: (line: AnyField) => boolean): ReadonlySet<string> {
  return new Set(LINES.filter(isOne).map(({ key }) => key))
}

/** How many children of a role a span has is an attribute for each role; their lines are one. */
const lineKey = (key: string): string =>
  key.startsWith(bookkeepingFields.children.key) ? bookkeepingFields.children.key : key

/** The type that an attribute had before a store made text of it; undefined for a key that is not planspan's. */
export const attributeType = (key: string): AttributeType | undefined => TYPES.get(lineKey(key))

/** Whether an attribute holds a plan together: masking it would lose the plan. */
export const isStructural = (key: string): boolean => STRUCTURAL.has(key)

/** Whether an attribute tells where a span stands, or what it found right below. */
export const isStanding = (key: string): boolean => STANDING.has(lineKey(key))
