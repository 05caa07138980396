import { redactedFields, type Redactor } from '../../redaction/index.js'
import { ATTR, isStructural } from '../../semconv/index.js'

/** The parts of a span, an event or a link that may contain a secret, as OTLP names them. */
export interface Holder<Value> {
  name?: string
  /** W3C trace state, which other programs write. */
  traceState?: string
  attributes?: Member<Value>[]
}

/** A span or a log record. */
export interface ItemHolder<Value> extends Holder<Value> {
  body?: Value | undefined
  status?: { message?: string } | undefined
  events?: Holder<Value>[]
  links?: Holder<Value>[]
}

/** Masks an item in place and lists the masked fields in its attributes. Returns false if it contains no secret. */
export function maskItem<Value>(item: ItemHolder<Value>, mask: ValueMask<Value>, shape: ValueShape<Value>): boolean {
  const keys = new Set<string>()
  const add = (found: readonly string[]): void => found.forEach((key) => keys.add(key))
  const texts = (holder: Holder<Value>): void => {
    for (const field of ['name', 'traceState'] as const) if (maskText(holder, field, mask.redactor)) keys.add(field)
  }
  texts(item)
  const body = [{ key: 'body', value: item.body }]
  add(mask.attributes(body))
  if (keys.has('body')) item.body = body[0]?.value
  const { status } = item
  const message = status?.message === undefined ? undefined : mask.redactor.text(status.message)
  if (status && message !== undefined && message !== status.message) {
    status.message = message
    keys.add('status.message')
  }
  add(mask.attributes(item.attributes))
  for (const event of item.events ?? []) {
    texts(event)
    add(mask.attributes(event.attributes))
  }
  for (const link of item.links ?? []) {
    texts(link)
    add(mask.attributes(link.attributes))
  }
  if (keys.size === 0) return false
  list(item, [...keys], shape)
  return true
}

/** Masks a text of an object in place. Returns false if it contains no secret. */
export function maskText<Field extends string>(
  holder: { [key in Field]?: string },
  field: Field,
  redactor: Redactor,
): boolean {
  const before = holder[field]
  if (before === undefined) return false
  const masked = redactor.text(before)
  if (masked === before) return false
  holder[field] = masked
  return true
}

function list<Value>(item: ItemHolder<Value>, keys: readonly string[], shape: ValueShape<Value>): void {
  const attributes = (item.attributes ??= [])
  const before = attributes.find(({ key }) => key === ATTR.redactedFields)
  const parsed = before?.value && shape.parse(before.value)
  const listed = parsed?.kind === 'list' ? parsed.items.map((item) => shape.parse(item)) : []
  const texts = listed.map((item) => (item.kind === 'scalar' ? item.scalar : undefined))
  const value = shape.ofItems(redactedFields(texts, keys).map((key) => shape.ofText(key)))
  if (before) before.value = value
  else attributes.push(shape.member(ATTR.redactedFields, value))
}

/** An attribute's value, in the encoding of its request. */
type ParsedValue<Value> =
  | { readonly kind: 'scalar'; readonly scalar: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly members: readonly Member<Value>[] }
  | { readonly kind: 'none' }

export interface Member<Value> {
  key?: string
  value?: Value | undefined
}

/** Reads and creates the values of an encoding. */
export interface ValueShape<Value> {
  parse(value: Value): ParsedValue<Value>
  ofText(text: string): Value
  ofItems(items: readonly Value[]): Value
  ofMembers(members: readonly Member<Value>[]): Value
  member(key: string, value: Value): Member<Value>
}

/** Masks the secrets in values. A value without secrets stays the same object. */
export class ValueMask<Value> {
  readonly redactor: Redactor
  readonly #shape: ValueShape<Value>

  constructor(redactor: Redactor, shape: ValueShape<Value>) {
    this.redactor = redactor
    this.#shape = shape
  }

  /** Masks a list of attributes in place, and returns the keys of the masked attributes. */
  attributes(attributes: Member<Value>[] | undefined): string[] {
    const keys: string[] = []
    for (const attribute of attributes ?? []) {
      const { key = '', value } = attribute
      const masked = value && this.#value(key, value)
      const maskedKey = isStructural(key) ? key : this.redactor.key(key)
      if (masked === value && maskedKey === key) continue
      attribute.value = masked
      attribute.key = maskedKey
      keys.push(maskedKey)
    }
    return keys
  }

  #value(key: string, value: Value): Value {
    const parsed = this.#shape.parse(value)
    if (parsed.kind === 'none') return value
    if (parsed.kind === 'scalar') {
      const masked = this.#redact(key, parsed.scalar)
      return Object.is(masked, parsed.scalar) ? value : this.#shape.ofText(String(masked))
    }
    if (parsed.kind === 'map') {
      const members = parsed.members.map((member) => {
        const masked = member.value && this.#value(member.key ?? '', member.value)
        return masked === member.value ? member : { ...member, value: masked }
      })
      return members.every((member, at) => member === parsed.members[at]) ? value : this.#shape.ofMembers(members)
    }
    const items = this.#items(key, parsed.items)
    return items.every((item, at) => item === parsed.items[at]) ? value : this.#shape.ofItems(items)
  }

  /** Masks a value; its key may be masked itself. */
  #redact<Plain>(key: string, value: Plain): Plain {
    const masked = this.redactor.attributes({ [key]: value })?.attributes
    return masked ? (Object.values(masked)[0] as Plain) : value
  }

  /** An item of a list may be masked because of the item before it. */
  #items(key: string, items: readonly Value[]): Value[] {
    const parsed = items.map((item) => this.#shape.parse(item))
    const scalars = parsed.map((item) => (item.kind === 'scalar' ? item.scalar : undefined))
    const masked = this.#redact(key, scalars)
    return items.map((item, at) => {
      if (parsed[at]?.kind !== 'scalar') return this.#value(key, item)
      return Object.is(masked[at], scalars[at]) ? item : this.#shape.ofText(String(masked[at]))
    })
  }
}
