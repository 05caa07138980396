import type { Redactor } from '../../redaction/index.js'
import { maskSpan, type SpanHolder } from './mask-span.js'
import { ValueMask, type Member, type ValueShape } from './mask-value.js'

interface JsonValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: string | number
  readonly arrayValue?: { readonly values?: readonly JsonValue[] }
  readonly kvlistValue?: { readonly values?: readonly Member<JsonValue>[] }
}

const SHAPE: ValueShape<JsonValue> = {
  parse({ stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue }) {
    if (stringValue !== undefined) return { kind: 'scalar', scalar: stringValue }
    if (boolValue !== undefined) return { kind: 'scalar', scalar: boolValue }
    const number = intValue ?? doubleValue
    if (number !== undefined) return { kind: 'scalar', scalar: Number(number) }
    if (arrayValue) return { kind: 'list', items: arrayValue.values ?? [] }
    if (kvlistValue) return { kind: 'map', members: kvlistValue.values ?? [] }
    return { kind: 'none' }
  },
  ofText: (stringValue) => ({ stringValue }),
  ofItems: (values) => ({ arrayValue: { values } }),
  ofMembers: (values) => ({ kvlistValue: { values } }),
  member: (key, value) => ({ key, value }),
}

interface Described {
  readonly attributes?: Member<JsonValue>[]
}
interface JsonRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: Described
    readonly scopeSpans?: readonly { readonly scope?: Described; readonly spans?: readonly SpanHolder<JsonValue>[] }[]
  }[]
}

/** Masks the secrets of a checked request. Returns the same bytes if there are no secrets. */
export function maskJson(body: Uint8Array, redactor: Redactor): Uint8Array {
  const request = JSON.parse(new TextDecoder().decode(body)) as JsonRequest
  const mask = new ValueMask(redactor, SHAPE)
  let isMasked = false
  for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
    if (mask.attributes(resource?.attributes).length > 0) isMasked = true
    for (const { scope, spans } of scopeSpans ?? []) {
      if (mask.attributes(scope?.attributes).length > 0) isMasked = true
      for (const span of spans ?? []) if (maskSpan(span, mask, SHAPE)) isMasked = true
    }
  }
  return isMasked ? new TextEncoder().encode(JSON.stringify(request)) : body
}
