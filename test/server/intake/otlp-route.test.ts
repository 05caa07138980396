import { gzipSync } from 'node:zlib'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import { describe, expect, it, vi } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import { BodyReader } from '../../../src/server/http/body-reader.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import type { SpanIntake } from '../../../src/server/intake/span-intake.js'
import type { WriteRequest, WriteResult } from '../../../src/store/ingest/index.js'
import { encodeRequest, type RequestJson } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'

const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const
const encode = { protobuf: encodeRequest, json: (body: RequestJson) => Buffer.from(JSON.stringify(body)) }
const STORED: WriteResult = { rejectedSpans: 0, errorMessage: '' }

/** The route over a writer that records its input and returns the given result. */
function route(answer: () => WriteResult = () => STORED, options: Partial<SpanIntake> = {}) {
  const written: WriteRequest[] = []
  const writer = {
    check: () => {},
    write: async (request: WriteRequest) => {
      written.push(request)
      return answer()
    },
  }
  const app = otlpRoute({ writer, ...options })
  const post = (body: Uint8Array | ReadableStream, headers: Record<string, string>) =>
    app.request('/v1/traces', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { app, written, post }
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

/** google.rpc.Status or ExportTracePartialSuccess: an int in field 1 and a text in field 2. */
function readPair(bytes: Uint8Array): [number, string] {
  const reader = new BinaryReader(bytes)
  let code = 0
  let message = ''
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag()
    if (field === 1) code = Number(reader.int64())
    else if (field === 2) message = reader.string()
    else reader.skip(wire)
  }
  return [code, message]
}

async function readStatus(encoding: keyof typeof TYPES, response: Response): Promise<[number, string]> {
  expect(response.headers.get('content-type')).toBe(TYPES[encoding])
  const bytes = await bytesOf(response)
  if (encoding === 'protobuf') return readPair(bytes)
  const { code, message } = JSON.parse(Buffer.from(bytes).toString()) as { code: number; message: string }
  return [code, message]
}

async function readPartialSuccess(
  encoding: keyof typeof TYPES,
  response: Response,
): Promise<[number, string] | undefined> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(TYPES[encoding])
  const bytes = await bytesOf(response)
  if (encoding === 'json') {
    const { partialSuccess } = JSON.parse(Buffer.from(bytes).toString()) as {
      partialSuccess?: { rejectedSpans: string; errorMessage: string }
    }
    return partialSuccess && [Number(partialSuccess.rejectedSpans), partialSuccess.errorMessage]
  }
  if (bytes.length === 0) return undefined
  const reader = new BinaryReader(bytes)
  expect(reader.tag()).toEqual([1, 2])
  return readPair(reader.bytes())
}

describe.each(['protobuf', 'json'] as const)('POST /v1/traces with %s', (encoding) => {
  const type = { 'content-type': TYPES[encoding] }
  const body = encode[encoding](makeRequest([makeSpan(1), makeSpan(2)]))

  it('passes the body to the writer as it arrived and responds with an empty message', async () => {
    const { post, written } = route()
    expect(await readPartialSuccess(encoding, await post(body, type))).toBeUndefined()
    expect(written).toMatchObject([{ encoding, spans: 2 }])
    expect(Buffer.from(written[0]!.body).equals(body)).toBe(true)
  })

  it.each<[string, Record<string, string>]>([
    ['a charset', { 'content-type': `${TYPES[encoding]}; charset=utf-8` }],
    ['another case', { 'content-type': TYPES[encoding].toUpperCase() }],
    ['identity', { ...type, 'content-encoding': 'identity' }],
  ])('accepts a header with %s', async (_, headers) => {
    expect((await route().post(body, headers)).status).toBe(200)
  })

  it('decompresses gzip', async () => {
    const { post, written } = route()
    expect((await post(gzipSync(body), { ...type, 'content-encoding': 'gzip' })).status).toBe(200)
    expect(Buffer.from(written[0]!.body).equals(body)).toBe(true)
  })

  it('returns 200 for a request without spans', async () => {
    expect(
      await readPartialSuccess(encoding, await route().post(encode[encoding]({ resourceSpans: [] }), type)),
    ).toBeUndefined()
  })

  it("reports rejected spans, its own and the writer's, in a partial success", async () => {
    const { post, written } = route(() => ({ rejectedSpans: 1, errorMessage: 'ClickHouse refused it.' }))
    const mixed = encode[encoding](makeRequest([makeSpan(1), makeSpan(2, { spanId: '' })]))
    expect(await readPartialSuccess(encoding, await post(mixed, type))).toEqual([
      2,
      '1 span refused: its span id is not 8 bytes, or all zero. ClickHouse refused it.',
    ])
    expect(written).toMatchObject([{ spans: 1 }])
  })

  it('rejects spans that start before the retention period', async () => {
    const { post } = route(undefined, { refuseBefore: () => 2_000_000_000_000_000_000n })
    expect(await readPartialSuccess(encoding, await post(body, type))).toEqual([
      2,
      expect.stringContaining('retention'),
    ])
  })

  it('rejects spans with start times outside the range of the store, or on too many days', async () => {
    const never = { from: 2_000_000_000_000_000_000n, until: 2_000_000_000_000_000_001n }
    const { post } = route(undefined, { spanTimes: () => never })
    expect(await readPartialSuccess(encoding, await post(body, type))).toEqual([
      2,
      expect.stringContaining('--time-window'),
    ])
    const days = Array.from({ length: 103 }, (_, at) => makeSpan(at, { startTimeUnixNano: `${at + 1}000000000000000` }))
    const response = await route().post(encode[encoding](makeRequest(days)), type)
    expect(await readPartialSuccess(encoding, response)).toEqual([3, expect.stringContaining('another day')])
  })

  it('returns 400 for a malformed request', async () => {
    const { post, written } = route()
    const response = await post(body.subarray(0, -3), type)
    expect(response.status).toBe(400)
    expect(await readStatus(encoding, response)).toEqual([3, expect.stringMatching(/at byte \d+\.$/)])
    expect(written).toEqual([])
  })

  it('returns 400 for invalid gzip', async () => {
    const response = await route().post(body, { ...type, 'content-encoding': 'gzip' })
    expect(response.status).toBe(400)
    expect(await readStatus(encoding, response)).toEqual([3, expect.stringContaining('not gzip')])
  })

  it.each<[string, (large: Buffer) => [Uint8Array | ReadableStream, Record<string, string>]]>([
    ['declares', (large) => [large, { 'content-length': String(large.length) }]],
    ['streams', (large) => [new Blob([large]).stream(), {}]],
    ['unpacks to', (large) => [gzipSync(large), { 'content-encoding': 'gzip' }]],
  ])('returns 413 for a request that %s more than the limit', async (_, make) => {
    const [sent, headers] = make(Buffer.alloc(5000, ' '))
    const response = await route(undefined, { bodies: new BodyReader({ maxBytes: 4096 }) }).post(sent, {
      ...type,
      ...headers,
    })
    expect(response.status).toBe(413)
    expect(await readStatus(encoding, response)).toEqual([3, expect.stringContaining('more than 4096 bytes')])
  })

  it.each<[string, (body: Uint8Array) => [Uint8Array | ReadableStream, Record<string, string>]]>([
    ['declares', (sent) => [sent, { 'content-length': String(sent.length) }]],
    ['streams', (sent) => [new Blob([new Uint8Array(sent)]).stream(), {}]],
    ['unpacks to', (sent) => [gzipSync(sent), { 'content-encoding': 'gzip' }]],
  ])('returns 503 for a request that %s more than fits into memory beside others', async (_, make) => {
    const ends: (() => void)[] = []
    const writer = {
      check: () => {},
      write: () => new Promise<WriteResult>((resolve) => ends.push(() => resolve(STORED))),
    }
    const app = otlpRoute({ writer, bodies: new BodyReader({ maxTotalBytes: body.length * 2 - 1 }) })
    const post = (sent: Uint8Array | ReadableStream, headers: Record<string, string>) =>
      app.request('/v1/traces', {
        method: 'POST',
        body: sent,
        headers: { ...type, ...headers },
        duplex: 'half',
      } as RequestInit)
    const first = post(body, {})
    await vi.waitFor(() => expect(ends).toHaveLength(1))
    const second = await post(...make(body))
    expect(second.status).toBe(503)
    expect(second.headers.get('retry-after')).toBe('1')
    expect(await readStatus(encoding, second)).toEqual([14, expect.stringContaining('again later')])
    ends[0]?.()
    expect((await first).status).toBe(200)
    const third = post(body, {})
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    ends[1]?.()
    expect((await third).status).toBe(200)
  })

  it('returns 415 for another content encoding', async () => {
    const response = await route().post(body, { ...type, 'content-encoding': 'br' })
    expect(response.status).toBe(415)
    expect(await readStatus(encoding, response)).toEqual([3, expect.stringContaining('Content-Encoding is br')])
  })

  it.each(['store_busy', 'store_unreachable'] as const)(
    'returns 503 with Retry-After when the writer reports %s',
    async (code) => {
      const { post } = route(() => {
        throw new PlanspanError(code, 'Not now.')
      })
      const response = await post(body, type)
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await readStatus(encoding, response)).toEqual([14, 'Not now.'])
    },
  )

  it('returns 405 for another method', async () => {
    const response = await route().app.request('/v1/traces', { method: 'PUT', headers: type, body: Buffer.from('{}') })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await readStatus(encoding, response)).toEqual([12, expect.stringContaining('PUT')])
  })
})

describe('POST /v1/traces', () => {
  it.each([['text/plain'], ['application/grpc'], [undefined]])('returns 415 for the content type %s', async (type) => {
    const response = await route().post(Buffer.from('{}'), type === undefined ? {} : { 'content-type': type })
    expect(response.status).toBe(415)
    expect(await readStatus('json', response)).toEqual([3, expect.stringContaining(type ?? 'missing')])
  })
})
