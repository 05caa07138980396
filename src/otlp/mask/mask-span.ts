import { ATTR } from '../../semconv/index.js'
import { redactedFields } from '../../redaction/index.js'
import type { Member, ValueMask, ValueShape } from './mask-value.js'

/** The parts of a span, an event or a link that may contain a secret, as OTLP names them. */
interface Holder<Value> {
  name?: string
  attributes?: Member<Value>[]
}

export interface SpanHolder<Value> extends Holder<Value> {
  status?: { message?: string } | undefined
  events?: Holder<Value>[]
  links?: Holder<Value>[]
}

/** Masks a span in place and lists the masked fields in its attributes. Returns false if it contains no secret. */
export function maskSpan<Value>(span: SpanHolder<Value>, mask: ValueMask<Value>, shape: ValueShape<Value>): boolean {
  const keys = new Set<string>()
  const add = (found: readonly string[]): void => found.forEach((key) => keys.add(key))
  const name = (holder: Holder<Value>): void => {
    const masked = holder.name === undefined ? undefined : mask.redactor.text(holder.name)
    if (masked === undefined || masked === holder.name) return
    holder.name = masked
    keys.add('name')
  }
  name(span)
  const { status } = span
  const message = status?.message === undefined ? undefined : mask.redactor.text(status.message)
  if (status && message !== undefined && message !== status.message) {
    status.message = message
    keys.add('status.message')
  }
  add(mask.attributes(span.attributes))
  for (const event of span.events ?? []) {
    name(event)
    add(mask.attributes(event.attributes))
  }
  for (const link of span.links ?? []) add(mask.attributes(link.attributes))
  if (keys.size === 0) return false
  list(span, [...keys], shape)
  return true
}

function list<Value>(span: SpanHolder<Value>, keys: readonly string[], shape: ValueShape<Value>): void {
  const attributes = (span.attributes ??= [])
  const before = attributes.find(({ key }) => key === ATTR.redactedFields)
  const parsed = before?.value && shape.parse(before.value)
  const listed = parsed?.kind === 'list' ? parsed.items.map((item) => shape.parse(item)) : []
  const texts = listed.map((item) => (item.kind === 'scalar' ? item.scalar : undefined))
  const value = shape.ofItems(redactedFields(texts, keys).map((key) => shape.ofText(key)))
  if (before) before.value = value
  else attributes.push(shape.member(ATTR.redactedFields, value))
}
