import type { AttributeType } from './codec.js'
import type { AnyField } from './field.js'
import { bookkeepingFields, FIELD_TABLES } from './fields/index.js'

type Tables = typeof FIELD_TABLES
type Line = { [Table in keyof Tables]: Tables[Table][keyof Tables[Table]] }[keyof Tables]

const LINES = Object.values(FIELD_TABLES).flatMap((table) => Object.values<AnyField>(table))

/**
 * All attribute keys that planspan writes or reads, from the field tables. `gen_ai.*` follows the OpenTelemetry GenAI
 * semantic conventions in the release of `CONVENTIONS_VERSION`, `planspan.*` is planspan's own namespace.
 */
export const ATTR = Object.fromEntries(LINES.map(({ name, key }) => [name, key])) as Attributes
type Attributes = { readonly [F in Line as F['name']]: F['key'] }

/** An attribute key of planspan's conventions. */
export type AttributeKey = (typeof ATTR)[keyof typeof ATTR]

const TYPES: ReadonlyMap<string, AttributeType> = new Map(LINES.map(({ key, type }) => [key, type]))
const STRUCTURAL = keysOf(({ structural }) => structural)
const LATEST_ONLY = keysOf(({ latestOnly }) => latestOnly)
const SUMMED = keysOf(({ summed }) => summed)

function keysOf(isOne: (line: AnyField) => boolean): ReadonlySet<string> {
  return new Set(LINES.filter(isOne).map(({ key }) => key))
}

/** The children of a span are counted in one attribute per role. Their keys share one line of the table. */
const lineKey = (key: string): string =>
  key.startsWith(bookkeepingFields.children.key) ? bookkeepingFields.children.key : key

/** Returns the type that an attribute had before a store converted it to text. Undefined for foreign keys. */
export const attributeType = (key: string): AttributeType | undefined => TYPES.get(lineKey(key))

/** Whether an attribute is needed to assemble a plan, so that it must not be masked. */
export const isStructural = (key: string): boolean => STRUCTURAL.has(key)

/** Whether an attribute describes the state of a span, or what is directly below it. */
export const isLatestOnly = (key: string): boolean => LATEST_ONLY.has(lineKey(key))

/**
 * Returns whether a guardrail found its action unsafe, by the attributes of its span. Without a verdict, an action that
 * violates policies is unsafe, unless the assessment repeats another one, which has the verdict.
 */
export function isUnsafe(attributes: Readonly<Record<string, string>>): boolean {
  const { [ATTR.riskIsSafe]: isSafe, [ATTR.riskRepeated]: repeated } = attributes
  if (isSafe === 'true' || isSafe === 'false') return isSafe === 'false'
  return repeated !== 'true' && !NO_POLICIES.has(attributes[ATTR.riskViolatedPolicyIds])
}

const NO_POLICIES: ReadonlySet<string | undefined> = new Set([undefined, '', '[]'])

/** Whether the segments of a resumed plan each have a value of their own, which add up. */
export const isSummed = (key: string): boolean => SUMMED.has(key)
