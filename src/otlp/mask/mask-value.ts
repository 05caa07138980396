import type { Redactor } from '../../redaction/index.js'

/** A value of an attribute, in whatever encoding its request has. */
export type Told<Value> =
  | { readonly kind: 'scalar'; readonly scalar: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly members: readonly Member<Value>[] }
  | { readonly kind: 'none' }

export interface Member<Value> {
  key?: string
  value?: Value | undefined
}

/** How values of an encoding are read and made. */
export interface ValueShape<Value> {
  tell(value: Value): Told<Value>
  ofText(text: string): Value
  ofItems(items: readonly Value[]): Value
  ofMembers(members: readonly Member<Value>[]): Value
  member(key: string, value: Value): Member<Value>
}

/** Masks the secrets in values; one without any stays the same object. */
export class ValueMask<Value> {
  readonly redactor: Redactor
  readonly #shape: ValueShape<Value>

  constructor(redactor: Redactor, shape: ValueShape<Value>) {
    this.redactor = redactor
    this.#shape = shape
  }

  /** Masks a list of attributes in place, and tells the keys of those that it masked. */
  attributes(attributes: Member<Value>[] | undefined): string[] {
    const keys: string[] = []
    for (const attribute of attributes ?? []) {
      const { key = '', value } = attribute
      const masked = value && this.#value(key, value)
      if (masked === value) continue
      attribute.value = masked
      keys.push(key)
    }
    return keys
  }

  #value(key: string, value: Value): Value {
    const told = this.#shape.tell(value)
    if (told.kind === 'none') return value
    if (told.kind === 'scalar') {
      const masked = this.redactor.attributes({ [key]: told.scalar })
      return masked ? this.#shape.ofText(String(masked.attributes[key])) : value
    }
    if (told.kind === 'map') {
      const members = told.members.map((member) => {
        const masked = member.value && this.#value(member.key ?? '', member.value)
        return masked === member.value ? member : { ...member, value: masked }
      })
      return members.every((member, at) => member === told.members[at]) ? value : this.#shape.ofMembers(members)
    }
    const items = this.#items(key, told.items)
    return items.every((item, at) => item === told.items[at]) ? value : this.#shape.ofItems(items)
  }

  /** Of a list an item may be masked for what stands before it. */
  #items(key: string, items: readonly Value[]): Value[] {
    const told = items.map((item) => this.#shape.tell(item))
    const scalars = told.map((item) => (item.kind === 'scalar' ? item.scalar : undefined))
    const masked = this.redactor.attributes({ [key]: scalars })?.attributes[key] ?? scalars
    return items.map((item, at) => {
      if (told[at]?.kind !== 'scalar') return this.#value(key, item)
      return Object.is(masked[at], scalars[at]) ? item : this.#shape.ofText(String(masked[at]))
    })
  }
}
