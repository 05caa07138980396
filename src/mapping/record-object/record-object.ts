import type { FieldValue } from '../../semconv/index.js'
import { textForm, type Form } from './forms.js'
import { jsonLiteral, type JsonMember, type JsonNode, type JsonObject } from '../json/index.js'
import { seqOf, type SpanNode } from '../tree/index.js'
import { HOMES, type Home, type HomeValues, type Values } from './homes.js'
import { isTimeKey, timeTextOf } from './read-time.js'
import { isTimeText } from './unix-nano.js'
import type { EraForm, FieldProperty, NestedProperty, PartProperty, Properties, Property } from './property.js'

/** How an era writes values. */
export interface Writing {
  /** Whether a key without a value is null or left out. */
  readonly nulls: 'written' | 'omitted'
  /** @default 'written' */
  readonly emptyLists?: 'written' | 'omitted'
  /** @default text for each */
  readonly forms?: Readonly<Record<EraForm, Form<string>>>
  /** Keys that are not part of the era. */
  readonly lacks?: readonly string[]
}

type HomesIn<P extends Properties> = {
  [K in keyof P]: P[K] extends FieldProperty<infer H, infer _>
    ? H
    : P[K] extends NestedProperty<infer Q>
      ? HomesIn<Q>
      : never
}[keyof P]

/** The keys of an object that the dialect builds itself, including those of nested objects. */
export type PartKeys<P extends Properties> = string extends keyof P
  ? string
  : {
      [K in keyof P]: P[K] extends PartProperty
        ? K & string
        : P[K] extends NestedProperty<infer Q>
          ? PartKeys<Q>
          : never
    }[keyof P]

/** The JSON of the keys that the dialect builds itself. */
export type Parts<P extends Properties> = Readonly<Partial<Record<PartKeys<P>, JsonNode | undefined>>>

/** An object that was read: the values of its fields by home, and its parts. */
type ReadObject<P extends Properties> = { readonly parts: Parts<P> } & (string extends keyof P
  ? { readonly [H in Home]?: HomeValues<H> }
  : { readonly [H in HomesIn<P>]: HomeValues<H> })

/** The values and parts that an object is written from. */
type WrittenFrom<P extends Properties> = { readonly [H in Home]?: Values } & { readonly parts?: Parts<P> }

/** Reads and writes the objects of one kind in the records of an era. */
export interface RecordObject<P extends Properties = Properties> {
  /** The home of the object's own span or span event. */
  readonly home: Home
  readonly properties: P
  /** The keys that the era writes, in order. */
  readonly keys: readonly string[]
  /** The keys that the dialect builds itself, among those that the era writes. */
  readonly partKeys: readonly string[]
  /** Reads the object, including keys of other eras. Of repeated keys, the first readable value counts. */
  read(node: JsonNode | undefined): ReadObject<P>
  write(from: WrittenFrom<P>): JsonObject
  /** Writes the object. Undefined if it would contain no values. */
  writeUnlessEmpty(from: WrittenFrom<P>): JsonObject | undefined
}

/** Compiles an object's properties to a reader and a writer for an era. */
export function recordObject<P extends Properties>(
  home: Home,
  properties: P,
  writing: Writing,
  keys: readonly (keyof P & string)[] = Object.keys(properties),
): RecordObject<P> {
  const object = compile(properties, writing, keys)
  return {
    home,
    properties,
    keys: object.entries.map(({ key }) => key),
    partKeys: partKeysOf(object),
    read: (node) => read(object, node) as ReadObject<P>,
    write: (from) => write(object, from).node,
    writeUnlessEmpty: (from) => {
      const { node, hasValues } = write(object, from)
      return hasValues ? node : undefined
    },
  }
}

/** Marks an object with its span, and with the index in its list that the span records. */
export function ofSpan(node: SpanNode, { members }: JsonObject): JsonObject {
  const object: JsonObject = { kind: 'object', members, origin: node.span.spanId }
  const slot = seqOf(node)
  if (slot !== undefined) object.slot = slot
  return object
}

/** An object's compiled properties. */
interface Compiled {
  readonly entries: readonly Entry[]
  readonly readers: ReadonlyMap<string, Entry>
}

interface Entry {
  readonly key: string
  /** A key with neither a field nor a nested object is a part. */
  readonly field?: FieldProperty & { readonly form: Form }
  readonly nested?: Compiled
  /** Whether a nested object is written even without values. */
  readonly isAlways: boolean
  readonly hasNull: boolean
  readonly omitsEmpty: boolean
  readonly isTime: boolean
}

function compile(properties: Properties, writing: Writing, keys: readonly string[]): Compiled {
  const readers = new Map(Object.entries(properties).map(([key, property]) => [key, entryOf(key, property, writing)]))
  return {
    entries: keys.flatMap((key) => (writing.lacks?.includes(key) ? [] : (readers.get(key) ?? []))),
    readers,
  }
}

const partKeysOf = ({ entries }: Compiled): string[] =>
  entries.flatMap(({ key, field, nested }) => (nested ? partKeysOf(nested) : field ? [] : [key]))

function entryOf(key: string, property: Property, writing: Writing): Entry {
  const { nulls, emptyLists = 'written', forms } = writing
  const { absent } = property
  const entry = {
    key,
    isAlways: nulls === 'written' && absent === undefined,
    hasNull: absent === undefined ? nulls === 'written' : absent === 'null',
    omitsEmpty: emptyLists === 'omitted',
    isTime: property.kind === 'field' && isTimeKey(HOMES[property.home][property.field as never]['key']),
  }
  if (property.kind === 'part') return entry
  if (property.kind === 'nested') {
    return { ...entry, nested: compile(property.properties, writing, Object.keys(property.properties)) }
  }
  const { form } = property
  return { ...entry, field: { ...property, form: typeof form === 'string' ? (forms?.[form] ?? textForm) : form } }
}

interface Reading {
  readonly values: { [H in Home]?: Record<string, FieldValue> }
  readonly parts: Record<string, JsonNode>
  /** Values that may be derived from others, which is known when all are read. */
  readonly derived: [field: FieldProperty, value: FieldValue][]
  /** The keys of times that can't be read, by home. */
  readonly unread: { [H in Home]?: string[] }
}

function read(object: Compiled, node: JsonNode | undefined): object {
  const reading: Reading = { values: {}, parts: {}, derived: [], unread: {} }
  const { values, parts, derived, unread } = reading
  readInto(reading, object, node)
  for (const [field, value] of derived) {
    if (!Object.is(value, derivedOf(field.from, values))) keep(reading, field, value)
  }
  for (const [home, unreadTimes] of Object.entries(unread)) {
    values[home as Home] = { ...values[home as Home], unreadTimes }
  }
  return { ...NO_VALUES, ...values, parts }
}

/** The homes without values in an object or era. */
const NO_VALUES = Object.fromEntries(Object.keys(HOMES).map((home) => [home, Object.freeze({})]))

function keep({ values }: Reading, { home, field }: FieldProperty, value: FieldValue): void {
  const ofHome = (values[home] ??= {})
  ofHome[field] ??= value
}

function readInto(reading: Reading, { readers }: Compiled, node: JsonNode | undefined): void {
  if (node?.kind !== 'object') return
  for (const { key, value } of node.members) {
    const entry = readers.get(key.value)
    if (!entry) continue
    const { field, nested } = entry
    if (nested) readInto(reading, nested, value)
    else if (!field) reading.parts[entry.key] ??= value
    else {
      const own = field.form.read(value) ?? (entry.isTime ? timeTextOf(value) : undefined)
      if (entry.isTime && !isNull(value) && !(typeof own === 'string' && isTimeText(own))) {
        ;(reading.unread[field.home] ??= []).push(key.value)
      }
      if (own === undefined) continue
      if (field.from) reading.derived.push([field, own])
      else keep(reading, field, own)
    }
  }
}

const derivedOf = (from: FieldProperty['from'], values: { readonly [H in Home]?: Values }): FieldValue | undefined =>
  from?.derive(from.sources.map(({ home, field }) => values[home]?.[field]))

interface Written {
  readonly node: JsonObject
  /** Whether the object contains more than nulls and derived values. */
  readonly hasValues: boolean
}

type Source = { readonly [H in Home]?: Values } & { readonly parts?: Readonly<Record<string, JsonNode | undefined>> }

const NULL = jsonLiteral(null)
const isNull = (node: JsonNode): boolean => node.kind === 'literal' && node.value === null
const isEmptyList = (node: JsonNode): boolean => node.kind === 'array' && node.items.length === 0

function write({ entries }: Compiled, source: Source): Written {
  const members: JsonMember[] = []
  let hasValues = false
  for (const entry of entries) {
    const { key, field, nested } = entry
    let value: JsonNode | undefined
    if (field) {
      const own = source[field.home]?.[field.field]
      const shown = own ?? derivedOf(field.from, source)
      value = shown === undefined ? undefined : field.form.write(shown)
      hasValues ||= own !== undefined && value !== undefined
    } else if (nested) {
      const inner = write(nested, source)
      value = inner.hasValues || entry.isAlways ? inner.node : undefined
      hasValues ||= inner.hasValues
    } else {
      value = source.parts?.[key]
      hasValues ||= value !== undefined && !isNull(value)
    }
    if (value === undefined ? !entry.hasNull : entry.omitsEmpty && isEmptyList(value)) continue
    members.push({ key: { kind: 'string', value: key }, value: value ?? NULL })
  }
  return { node: { kind: 'object', members }, hasValues }
}
