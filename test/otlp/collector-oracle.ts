import type { AnyValueJson, KeyValueJson, RequestJson, SpanJson } from './encode-request.js'

/** UTF-8 cannot contain lone surrogates: each becomes U+FFFD. */
const utf8 = (text: string): string => Buffer.from(text).toString()

/** The text of an attribute value in the stock collector's ClickHouse exporter (pdata's `Value.AsString()`). */
export function asString(value: AnyValueJson): string {
  if (value.stringValue !== undefined) return utf8(value.stringValue)
  if (value.boolValue !== undefined) return value.boolValue ? 'true' : 'false'
  if (value.intValue !== undefined) return value.intValue
  if (value.doubleValue !== undefined) return double(Number(value.doubleValue))
  if (value.bytesValue !== undefined) return value.bytesValue
  if (!value.arrayValue && !value.kvlistValue) return ''
  try {
    return marshal(value)
  } catch {
    return ''
  }
}

function marshal(value: AnyValueJson): string {
  if (value.stringValue !== undefined) return quote(value.stringValue)
  if (value.bytesValue !== undefined) return value.bytesValue === '' ? 'null' : `"${value.bytesValue}"`
  if (value.doubleValue !== undefined) {
    if (!Number.isFinite(Number(value.doubleValue))) throw new Error('json: unsupported value')
    return double(Number(value.doubleValue))
  }
  if (value.arrayValue) return `[${value.arrayValue.values.map(marshal).join(',')}]`
  if (value.kvlistValue) {
    const last: Record<string, AnyValueJson> = Object.create(null) as Record<string, AnyValueJson>
    for (const { key = '', value: item } of value.kvlistValue.values) last[utf8(key)] = item ?? {}
    const keys = Object.keys(last).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    return `{${keys.map((key) => `${quote(key)}:${marshal(last[key] ?? {})}`).join(',')}}`
  }
  return asString(value) === '' ? 'null' : asString(value)
}

function double(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Infinity) return 'Infinity'
  if (value === -Infinity) return '-Infinity'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const magnitude = Math.abs(value)
  const [, first = '', rest = '', exponent = '0'] = /^(\d)\.?(\d*)e([+-]\d+)$/.exec(magnitude.toExponential()) ?? []
  const power = Number(exponent)
  if (magnitude !== 0 && (power < -6 || power >= 21)) {
    return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${power < 0 ? '-' : '+'}${Math.abs(power)}`
  }
  const digits = first + rest
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0')
  const fraction = digits.slice(power + 1)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const quote = (text: string): string =>
  `"${[...utf8(text)]
    .map((char) => {
      const code = char.codePointAt(0) ?? 0
      const isEscaped = code < 0x20 || code === 0x2028 || code === 0x2029
      return SHORT[char] ?? (isEscaped ? `\\u${code.toString(16).padStart(4, '0')}` : char)
    })
    .join('')}"`

const toMap = (attributes: readonly KeyValueJson[] = []): [string, string][] =>
  attributes
    .map(({ key = '', value }): [string, string] => [utf8(key), asString(value ?? {})])
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

const toId = (id = ''): string => (/^0*$/.test(id) ? '' : id)

const KINDS = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer']
const CODES = ['Unset', 'Ok', 'Error']

/** The rows of a request: the 22 columns in order, maps as pairs, times and durations as decimal text. */
export const collectorRows = ({ resourceSpans }: RequestJson): unknown[][] =>
  resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ scope, spans = [] }) => {
      const attributes = toMap(resource?.attributes)
      const service = attributes.find(([key]) => key === 'service.name')?.[1] ?? ''
      return spans.map((span) => row(span, attributes, service, scope?.name, scope?.version))
    }),
  )

const row = (span: SpanJson, resource: [string, string][], service: string, scopeName = '', scopeVersion = '') => [
  span.startTimeUnixNano,
  span.traceId,
  span.spanId,
  toId(span.parentSpanId),
  utf8(span.traceState ?? ''),
  utf8(span.name),
  KINDS[span.kind ?? 0] ?? '',
  service,
  resource,
  utf8(scopeName),
  utf8(scopeVersion),
  toMap(span.attributes),
  String(BigInt.asUintN(64, BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano))),
  CODES[span.status?.code ?? 0] ?? '',
  utf8(span.status?.message ?? ''),
  (span.events ?? []).map(({ timeUnixNano = '0' }) => timeUnixNano),
  (span.events ?? []).map(({ name = '' }) => utf8(name)),
  (span.events ?? []).map((event) => toMap(event.attributes)),
  (span.links ?? []).map(({ traceId }) => toId(traceId)),
  (span.links ?? []).map(({ spanId }) => toId(spanId)),
  (span.links ?? []).map(({ traceState }) => utf8(traceState ?? '')),
  (span.links ?? []).map((link) => toMap(link.attributes)),
]
