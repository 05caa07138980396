import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { request } from 'node:http'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createApp, type LogEntry } from '../../../src/server/index.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import { listen } from '../../../src/server/http/listen.js'
import { RequestLog } from '../../../src/server/telemetry/request-log.js'
import { RequestWatch } from '../../../src/server/telemetry/request-traces.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import type { Store, TraceReader } from '../../../src/store/index.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { TRACES } from '../otlp-client.js'

afterEach(() => vi.restoreAllMocks())

const writer = { check: () => {}, write: () => Promise.reject(new Error('a mistake')) }
const reader = { services: () => Promise.reject(new Error('a mistake')) } as unknown as TraceReader
const ADDRESS = { host: '127.0.0.1', port: 0 }

async function serving({ all = true } = {}) {
  const entries: LogEntry[] = []
  const requests = new RequestWatch(new RequestLog((entry) => void entries.push(entry), { all }))
  const listeners = [
    await listen(createApp({ store: {} as Store, writer }).fetch, { ...ADDRESS, requests }),
    await listenOtlp({ writer }, { ...ADDRESS, requests }),
    await listenJaeger(reader, { ...ADDRESS, requests, outage: () => undefined }),
  ] as const
  onTestFinished(async () => {
    for (const listener of listeners) await listener.close(AbortSignal.abort())
  })
  const [http, grpc, jaeger] = listeners.map(({ port }) => `127.0.0.1:${port}`)
  return { entries, url: `http://${http}`, otlp: grpc!, jaeger: jaeger! }
}

const asIs = (buffer: Buffer) => buffer

/** The outcome of a failing call: its message, and the id in its metadata. */
async function callWith(id: string, endpoint: string, path: string, sent: Uint8Array = Buffer.alloc(0)) {
  const client = new Client(endpoint, credentials.createInsecure())
  onTestFinished(() => client.close())
  const metadata = new Metadata()
  metadata.set('x-request-id', id)
  return new Promise<{ details: string; ids: unknown[] }>((resolve) => {
    client.makeUnaryRequest(path, asIs, asIs, Buffer.from(sent), metadata, (error) =>
      resolve({ details: error?.details ?? '', ids: error?.metadata.get('x-request-id') ?? [] }),
    )
  })
}

const SPANS = encodeRequest(makeRequest([makeSpan(1)]))
const SERVICES = '/jaeger.storage.v2.TraceReader/GetServices'

describe('the id of a request', () => {
  it.each(['a', 'req-7f.3:b_c@d+e/f=', 'x'.repeat(128)])('is the id that the client sent: %s', async (id) => {
    const { entries, url } = await serving()
    const response = await fetch(`${url}/nothing`, { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toBe(id)
    expect(await response.json()).toMatchObject({ code: 'not_found', requestId: id })
    await vi.waitFor(() =>
      expect(entries).toMatchObject([{ event: 'request', fields: { requestId: id, status: 404 } }]),
    )
  })

  it.each(['', 'a b', 'a"b', 'x'.repeat(129), 'é', '\u009B31m'])(
    'is generated when the sent id is malformed: %j',
    async (id) => {
      const { url } = await serving()
      const response = await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } })
      expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it.each([
    ['otlp', '/nope/Nope', 12],
    ['jaeger', SERVICES, 13],
  ] as const)('is in the metadata of an answer over gRPC: %s', async (port, path, status) => {
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const { entries, [port]: endpoint } = await serving()
    expect(await callWith('call-1', endpoint, path)).toMatchObject({ ids: ['call-1'] })
    const fields = { requestId: 'call-1', path, status, method: 'POST', from: '127.0.0.1', isBroken: false }
    await vi.waitFor(() => expect(entries).toMatchObject([{ event: 'request', fields }]))
  })
})

describe('an internal error', () => {
  const warned = () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    return () => warn.mock.calls.map(([error]) => error)
  }

  it('is returned over HTTP and logged, with the id of the request', async () => {
    const reported = warned()
    const { url } = await serving()
    const headers = { 'x-request-id': 'mine', 'content-type': 'application/x-protobuf' }
    const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: Buffer.from(SPANS) })
    expect(await answer.json()).toMatchObject({ status: 500, requestId: 'mine' })
    expect(reported()).toMatchObject([{ message: 'a mistake', requestId: 'mine' }])
  })

  it.each([
    ['otlp', `/${TRACES}/Export`, SPANS],
    ['jaeger', SERVICES, undefined],
  ] as const)('and over gRPC: %s', async (port, path, sent) => {
    const reported = warned()
    const { [port]: endpoint } = await serving()
    const details = 'planspan failed: a mistake. Please report this. The request’s id is mine.'
    expect(await callWith('mine', endpoint, path, sent)).toEqual({ details, ids: ['mine'] })
    expect(reported()).toMatchObject([{ message: 'a mistake', requestId: 'mine' }])
  })
})

describe('the request log', () => {
  it('contains no query, no header and no body', async () => {
    const { entries, url } = await serving()
    const headers = { authorization: 'Bearer planspan_secret', 'content-type': 'application/json' }
    await fetch(`${url}/api/sql?secret=1`, { method: 'POST', headers, body: '{"sql":"SELECT secret"}' })
    await vi.waitFor(() => expect(entries).toHaveLength(1))
    expect(entries[0]?.fields).toMatchObject({ path: '/api/sql', method: 'POST', from: '127.0.0.1', isBroken: false })
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  it('contains only slow requests, unless all are enabled', async () => {
    const { entries, url } = await serving({ all: false })
    const now = vi.spyOn(performance, 'now')
    await fetch(`${url}/healthz`)
    let calls = 0
    now.mockImplementation(() => calls++ * 10_000)
    await new Promise<void>((resolve) => {
      request(`${url}/healthz`, (response) => response.resume().once('close', resolve)).end()
    })
    now.mockRestore()
    await vi.waitFor(() => expect(entries).toMatchObject([{ level: 'warn', event: 'slow_request' }]))
  })
})
