import {
  adoptedFields,
  ATTR,
  type AnyField,
  type AttributeValue,
  bookkeepingFields,
  everySpanFields,
  type FieldValue,
  recordFields,
  type Role,
  ROLES,
} from '../../../semconv/index.js'
import { HOMES } from '../../record-object/index.js'
import type { SpanNode } from '../../tree/index.js'

/** Fields that follow from a span's place, or that every import sets itself. */
const PLACED: ReadonlySet<string> = new Set([
  'role',
  'operation',
  'schemaVersion',
  'planId',
  'rootPlanId',
  'conversationId',
  'agentName',
  'seq',
  'state',
  'within',
  // The segments of a resumed plan are one span.
  'segment',
] satisfies (keyof typeof everySpanFields | 'segment')[])

/** Ids that a record gives to its objects. */
export const RECORD_IDS: readonly string[] = ['recordId', 'parentRecordId']

type Fields = readonly (readonly [name: string, field: AnyField])[]

/** The fields of each role that a carrier holds, in the order of the tables. */
const FIELDS = new Map<Role, Fields>(
  ROLES.map((role) => [role, Object.entries<AnyField>(HOMES[role]).filter(([name]) => !PLACED.has(name))]),
)

export const carriedFields = (role: Role): Fields => FIELDS.get(role) ?? []

const keysOf = (table: Readonly<Record<string, AnyField>>): string[] => Object.values(table).map(({ key }) => key)

/** The attributes that no import takes over. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...keysOf(everySpanFields),
  ...keysOf(recordFields),
  ...keysOf(bookkeepingFields),
  ...keysOf(adoptedFields),
  ATTR.planSegment,
])

/** The values of a span by field name, and its attributes that no field represents exactly. */
export interface CarriedValues {
  readonly values: Readonly<Record<string, FieldValue>>
  readonly attributes: Readonly<Record<string, string>>
}

/** Returns the values in a span's attributes. */
export function carriedValues({ role, span }: SpanNode): CarriedValues {
  const values: Record<string, FieldValue> = {}
  const attributes: Record<string, string> = {}
  const read = new Set<string>()
  for (const [name, field] of role === undefined ? [] : carriedFields(role)) {
    const stored = span.attributes[field.key]
    if (stored === undefined || read.has(field.key)) continue
    const value = field.decode(stored)
    if (value === undefined || textOf(field.encode(value as never)) !== stored) continue
    values[name] = value
    read.add(field.key)
  }
  const isAdopted = span.attributes[ATTR.adoptedConvention] !== undefined
  const fieldKeys = new Set(role === undefined ? [] : carriedFields(role).map(([, { key }]) => key))
  for (const key of Object.keys(span.attributes).sort()) {
    const stored = span.attributes[key]
    if (stored === undefined || read.has(key) || key.startsWith(ATTR.childrenPrefix)) continue
    if (fieldKeys.has(key) || (!isAdopted && !OWN_KEYS.has(key))) attributes[key] = stored
  }
  return { values, attributes }
}

/** Returns the text that the store keeps of an attribute. */
const textOf = (value: AttributeValue | undefined): string | undefined =>
  typeof value === 'object' ? JSON.stringify(value) : value === undefined ? undefined : String(value)
