import { appendTo } from '../../../base/append.js'
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
  'spanType',
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

/** A field that a carrier holds, with its position in its table. */
interface CarriedField {
  readonly name: string
  readonly field: AnyField
  readonly rank: number
}

const FIELDS = new Map(
  ROLES.map((role) => [
    role,
    Object.entries<AnyField>(HOMES[role])
      .filter(([name]) => !PLACED.has(name))
      .map(([name, field], rank): CarriedField => ({ name, field, rank })),
  ]),
)

/** Returns the fields of a role that a carrier holds, in the order of the tables. */
export const carriedFields = (role: Role): readonly CarriedField[] => FIELDS.get(role) ?? []

/** The fields of each role by their attribute, because most spans have few of them. */
const BY_KEY = new Map(
  [...FIELDS].map(([role, fields]) => {
    const byKey = new Map<string, CarriedField[]>()
    for (const field of fields) appendTo(byKey, field.field.key, field)
    return [role, byKey]
  }),
)

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

/** Returns the values in a span's attributes. Other attributes of adopted spans are those of their instrumentation. */
export function carriedValues({ role, span: { attributes: stored } }: SpanNode): CarriedValues {
  const byKey = role && BY_KEY.get(role)
  const isAdopted = stored[ATTR.adoptedConvention] !== undefined
  const read: [CarriedField, FieldValue][] = []
  const others: string[] = []
  for (const key in stored) {
    const fields = byKey?.get(key)
    const found = fields && exactly(fields, stored[key] ?? '')
    if (found) read.push(found)
    else if (fields || (!isAdopted && !OWN_KEYS.has(key) && !key.startsWith(ATTR.childrenPrefix))) others.push(key)
  }
  return {
    values: Object.fromEntries(read.sort(([a], [b]) => a.rank - b.rank).map(([{ name }, value]) => [name, value])),
    attributes: Object.fromEntries(others.sort().map((key) => [key, stored[key] ?? ''])),
  }
}

/** Returns the first field that represents a stored text exactly, with its value. */
function exactly(fields: readonly CarriedField[], stored: string): [CarriedField, FieldValue] | undefined {
  for (const one of fields) {
    const value: FieldValue | undefined = one.field.decode(stored)
    if (value !== undefined && textOf(one.field.encode(value as never)) === stored) return [one, value]
  }
  return undefined
}

/** Returns the text that the store keeps of an attribute. */
const textOf = (value: AttributeValue | undefined): string | undefined =>
  typeof value === 'object' ? JSON.stringify(value) : value === undefined ? undefined : String(value)
