import fc from 'fast-check'
import { gzipSync } from 'node:zlib'

import { encodeRequest, type RequestJson } from '../otlp/encode-request.js'
import { byId, FIND_IDS, FIND_SUMMARIES, FIND_TRACES, GET_TRACES, query } from '../server/jaeger/jaeger-client.js'
import { hostileRequest } from './hostile-requests.js'
import { mutations } from './mutations.js'
import { REAL_FILES, REAL_REQUESTS } from './real-bodies.js'

/** The claims of a sender: all of an acknowledged input must be stored. */
export interface Claim {
  /** `traceId spanId` of each span. */
  readonly spans: ReadonlySet<string>
}

interface Common {
  /** Traces to read after the response. */
  readonly traceIds: readonly string[]
  /** Undefined if bytes were changed at random. */
  readonly claim?: Claim
}
export interface HttpInput extends Common {
  readonly road: 'http'
  readonly route: 'otlp' | 'import' | 'read'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}
export interface GrpcInput extends Common {
  readonly road: 'grpc'
  readonly isGzip: boolean
  readonly body: Buffer
}
export interface JaegerInput extends Common {
  readonly road: 'jaeger'
  readonly method: string
  readonly body: Buffer
}
export type Input = HttpInput | GrpcInput | JaegerInput

interface Body {
  readonly encoding: 'json' | 'protobuf'
  readonly bytes: Buffer
  readonly traceIds: readonly string[]
  readonly claim?: Claim
}

const spansOf = ({ resourceSpans }: RequestJson) =>
  resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans))

const structured = fc.tuple(hostileRequest, fc.constantFrom('json', 'protobuf')).map(([request, encoding]): Body => {
  const spans = spansOf(request)
  return {
    encoding,
    bytes: Buffer.from(encoding === 'json' ? JSON.stringify(request) : encodeRequest(request)),
    traceIds: [...new Set(spans.map(({ traceId }) => traceId))],
    claim: { spans: new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`)) },
  }
})

const mutated = fc
  .tuple(fc.constantFrom(...REAL_REQUESTS), fc.constantFrom('json', 'protobuf'), mutations)
  .map(([request, encoding, mutate]): Body => ({
    encoding,
    bytes: mutate(request[encoding]),
    traceIds: request.traceIds,
  }))

const body = fc.oneof({ arbitrary: structured, weight: 3 }, { arbitrary: mutated, weight: 2 })

const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' }

const otlpHttp = fc
  .record({ body, isGzip: fc.boolean(), damage: fc.option(mutations, { freq: 8 }) })
  .map(({ body: { encoding, bytes, traceIds, claim }, isGzip, damage }): HttpInput => {
    const whole = isGzip ? gzipSync(bytes) : bytes
    const sent = damage && isGzip ? damage(whole) : whole
    return {
      road: 'http',
      route: 'otlp',
      method: 'POST',
      path: '/v1/traces',
      headers: { 'content-type': TYPES[encoding], ...(isGzip && { 'content-encoding': 'gzip' }) },
      body: sent,
      traceIds,
      ...(claim && sent === whole ? { claim } : {}),
    }
  })

const otlpGrpc = fc
  .record({ body, isGzip: fc.boolean() })
  .map(({ body: { bytes, encoding, ...rest }, isGzip }): GrpcInput => {
    // JSON over gRPC is another malformed body.
    const { claim, ...others } = rest
    return { road: 'grpc', isGzip, body: bytes, ...others, ...(claim && encoding === 'protobuf' ? { claim } : {}) }
  })

const importFile = fc
  .record({
    file: fc.constantFrom(...REAL_FILES),
    mutate: mutations,
    query: fc.constantFrom(
      '',
      '?keepGoing=true',
      '?redact=true',
      '?format=trajectory',
      '?source=fuzz',
      '?timeZone=Nowhere',
    ),
  })
  .map(({ file, mutate, query }): HttpInput => ({
    road: 'http',
    route: 'import',
    method: 'POST',
    path: `/api/records${query}`,
    headers: {},
    body: mutate(file),
    traceIds: [],
  }))

const anyTraceId = fc.constantFrom(...REAL_REQUESTS.flatMap(({ traceIds }) => traceIds))

const jaeger = fc
  .tuple(
    fc.constantFrom(GET_TRACES, FIND_TRACES, FIND_IDS, FIND_SUMMARIES),
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(anyTraceId, mutations).map(([id, mutate]) => mutate(Buffer.from(byId(id)))),
      fc
        .tuple(fc.string({ maxLength: 8 }), mutations)
        .map(([name, mutate]) => mutate(Buffer.from(query([1, name], [8, 10])))),
    ),
  )
  .map(([method, bytes]): JaegerInput => ({ road: 'jaeger', method, body: bytes, traceIds: [] }))

const word = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }), anyTraceId)
const PARAMETERS = [
  'limit',
  'cursor',
  'since',
  'until',
  'state',
  'dialect',
  'text',
  'trace',
  'format',
  'agent',
  'layout',
]

const reads = fc
  .tuple(
    fc.constantFrom(
      '/api/records',
      '/readyz',
      '/api/storage',
      '/api/traces/',
      '/api/records/',
      '/api/executor/details/',
    ),
    word,
    fc.constantFrom('', '/reading', '/spans', '/events'),
    fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), word), { maxLength: 3 }),
  )
  .map(([path, id, behind, parameters]): HttpInput => {
    const segment = path.endsWith('/') ? `${encodeURIComponent(id.toWellFormed())}${behind}` : ''
    const search = new URLSearchParams(
      parameters.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
    )
    return {
      road: 'http',
      route: 'read',
      method: 'GET',
      path: `${path}${segment}?${search}`,
      headers: {},
      body: undefined,
      traceIds: [],
    }
  })

/** Records by any id, with or without the escape. */
const records = fc
  .tuple(word, fc.constantFrom('', '~'), fc.constantFrom('', '/spans', '/steps', '/faults'))
  .map(([id, mark, below]): HttpInput => ({
    road: 'http',
    route: 'read',
    method: 'GET',
    path: `/api/records/${mark}${encodeURIComponent(id.toWellFormed())}${below}`,
    headers: {},
    body: undefined,
    traceIds: [],
  }))

/** Any input for any of the server's ports. */
export const input: fc.Arbitrary<Input> = fc.oneof<fc.WeightedArbitrary<Input>[]>(
  { arbitrary: otlpHttp, weight: 8 },
  { arbitrary: otlpGrpc, weight: 4 },
  { arbitrary: importFile, weight: 4 },
  { arbitrary: jaeger, weight: 2 },
  { arbitrary: reads, weight: 2 },
  { arbitrary: records, weight: 1 },
)
