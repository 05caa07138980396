import { conventionType, REGISTRY, type ConventionSpan } from '../../src/mapping/conventions/index.js'
import { attributeType, OPERATIONS } from '../../src/semconv/index.js'

/** A value as in OTLP/JSON: one member, named after its type. */
export type OtlpValue = Readonly<Record<string, unknown>>

/** A span as in OTLP/JSON, as far as it is checked. */
export interface OtlpSpan {
  readonly name: string
  readonly kind?: number
  readonly attributes?: readonly OtlpAttribute[]
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly OtlpAttribute[] }[]
}

interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

/** A finding, with the word that weaver's live-check has for it. `span_kind` and `span_name` are rules of their own. */
interface Finding {
  readonly id:
    | 'missing_attribute'
    | 'deprecated'
    | 'type_mismatch'
    | 'undefined_enum_variant'
    | 'illegal_namespace'
    | 'invalid_format'
    | 'required_attribute_not_present'
    | 'span_kind'
    | 'span_name'
  readonly about: string
}

/** Returns the spans of a request as in OTLP/JSON. */
export const spansOf = (request: OtlpRequest): OtlpSpan[] =>
  request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

/** A request as in OTLP/JSON, as far as it is checked. */
export interface OtlpRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[]
}

/** Returns the findings about a span, as `id: subject`. Empty for a span that follows the released conventions. */
export function liveCheck(span: OtlpSpan): string[] {
  const all = [...(span.attributes ?? []), ...(span.events ?? []).flatMap(({ attributes }) => attributes ?? [])]
  return [...all.flatMap(aboutAttribute), ...aboutSpan(span)].map(({ id, about }) => `${id}: ${about}`)
}

const NAMESPACES: ReadonlySet<string> = new Set([...Object.keys(REGISTRY.attributes).map(namespaceOf), 'planspan'])

function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf('.'))
}

const NAME = /^[a-z][a-z0-9]*([._][a-z0-9]+)*$/

function aboutAttribute({ key, value }: OtlpAttribute): Finding[] {
  const found = (id: Finding['id'], more = ''): Finding => ({ id, about: `${key}${more}` })
  const findings: Finding[] = []
  const [type, text] = typeAndText(value)
  const expected = conventionType(key) ?? ownType(key)
  if (key in REGISTRY.former) findings.push(found('deprecated'))
  else if (expected === undefined && NAMESPACES.has(namespaceOf(key))) findings.push(found('missing_attribute'))
  const isNumber = conventionType(key) === undefined && expected === 'double' && NOT_IN_JSON.has(text)
  if (expected !== undefined && !isNumber && !isCompatible(type, expected))
    findings.push(found('type_mismatch', ` is ${type}`))
  if (!isListed(key, text)) findings.push(found('undefined_enum_variant', ` = ${text}`))
  if (prefixesOf(key).some((prefix) => conventionType(prefix) !== undefined)) findings.push(found('illegal_namespace'))
  if (!NAME.test(key) && conventionType(key) === undefined) findings.push(found('invalid_format'))
  return findings
}

/** Returns the type of an attribute of planspan's own conventions, in which JSON is text. */
function ownType(key: string): string | undefined {
  const type = attributeType(key)
  return type === 'JSON' ? 'string' : type
}

/** The numbers that planspan's own attributes have as text, because OTLP/JSON has no form that all senders agree on. */
const NOT_IN_JSON: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])

/** Returns the namespaces of a key, but not those of a template, which its attributes extend. */
const prefixesOf = (key: string): string[] =>
  [...key.matchAll(/\./g)]
    .map(({ index }) => key.slice(0, index))
    .filter((prefix) => !REGISTRY.attributes[prefix]?.startsWith('template'))

const TYPES: Readonly<Record<string, string>> = {
  stringValue: 'string',
  intValue: 'int',
  doubleValue: 'double',
  boolValue: 'boolean',
  arrayValue: 'string[]',
}

function typeAndText(value: OtlpValue): [type: string, text: string] {
  const [[member, content] = ['', undefined]] = Object.entries(value)
  return [TYPES[member] ?? member, typeof content === 'string' ? content : JSON.stringify(content)]
}

/** Serializers in JavaScript send an integral number as an int where the conventions have a double. */
const isCompatible = (type: string, expected: string): boolean =>
  type === expected || expected === 'any' || (type === 'int' && expected === 'double')

/** Values beside the listed ones: the conventions permit others, and these are in the documentation. */
const OWN_VALUES: Readonly<Record<string, ReadonlySet<string> | 'any'>> = {
  'gen_ai.operation.name': new Set(Object.values(OPERATIONS)),
  'gen_ai.provider.name': 'any',
  'error.type': 'any',
}

function isListed(key: string, text: string): boolean {
  const { [key]: own } = OWN_VALUES
  const { [key]: listed } = REGISTRY.values
  return listed === undefined || own === 'any' || own?.has(text) === true || listed.split(' ').includes(text)
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']

function aboutSpan({ name, kind = 0, attributes = [] }: OtlpSpan): Finding[] {
  const values = new Map(attributes.map(({ key, value }) => [key, typeAndText(value)[1]]))
  const { [kind]: kindName = '' } = KINDS
  const operation = values.get('gen_ai.operation.name')
  const form = operation === undefined ? undefined : spanOf(operation, kindName)
  if (!form) return []
  const missing = form.required.filter((key) => !values.has(key))
  return [
    ...missing.map((about) => ({ id: 'required_attribute_not_present', about }) as const),
    ...(form.kinds.includes(kindName) ? [] : [{ id: 'span_kind', about: kindName } as const]),
    ...(namesOf(form, operation ?? '', values).has(name) ? [] : [{ id: 'span_name', about: name } as const]),
  ]
}

/** Returns the span of the conventions with an operation; its name begins with the operation's, except for these. */
function spanOf(operation: string, kind: string): ConventionSpan | undefined {
  const { [operation]: type = `gen_ai.${operation}` } = SPANS
  const { [`${type}.${kind}`]: exact, [`${type}.internal`]: internal, [`${type}.client`]: client } = REGISTRY.spans
  return REGISTRY.spans[type] ?? exact ?? internal ?? client
}

const SPANS: Readonly<Record<string, string>> = {
  chat: 'gen_ai.client.inference',
  generate_content: 'gen_ai.client.inference',
  text_completion: 'gen_ai.client.inference',
  invoke_workflow: 'gen_ai.invoke_agent',
  handle_conversation_turn: 'gen_ai.invoke_agent',
  ...Object.fromEntries(
    (REGISTRY.values['gen_ai.operation.name'] ?? '')
      .split(' ')
      .filter((operation) => operation.includes('memory'))
      .map((operation) => [operation, 'gen_ai.memory']),
  ),
}

/** Returns the permitted names: those of the forms whose attributes are present, else the operation. */
function namesOf({ names }: ConventionSpan, operation: string, values: ReadonlyMap<string, string>): Set<string> {
  const filled = names
    .map((form) => form.replace(/\{([^}]+)\}/g, (_, key: string) => values.get(key) || '\0'))
    .filter((name) => !name.includes('\0'))
  return new Set(filled.length > 0 ? filled : [operation])
}
