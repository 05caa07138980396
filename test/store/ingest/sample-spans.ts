import type { Encoding } from '../../../src/otlp/index.js'
import { encodeRequest, type RequestJson, type SpanJson } from '../../otlp/encode-request.js'

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A plain span with its own ids. */
export const makeSpan = (number: number, changes: Partial<SpanJson> = {}): SpanJson => ({
  traceId: `a${hex(number, 31)}`,
  spanId: `b${hex(number, 15)}`,
  name: `span ${number}`,
  kind: 1,
  startTimeUnixNano: String(1_763_800_000_000_000_000n + BigInt(number)),
  endTimeUnixNano: String(1_763_800_001_000_000_000n + BigInt(number)),
  attributes: [{ key: 'n', value: { intValue: String(number) } }],
  ...changes,
})

export const makeRequest = (spans: SpanJson[], service = 'agent'): RequestJson => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [{ scope: { name: 'planspan' }, spans }],
    },
  ],
})

export const encode = (encoding: Encoding, request: RequestJson): Uint8Array =>
  encoding === 'json' ? Buffer.from(JSON.stringify(request)) : encodeRequest(request)
