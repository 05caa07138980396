import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { request } from 'node:http'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createApp, type LogEntry } from '../../../src/server/index.js'
import { listen } from '../../../src/server/listen.js'
import { RequestLog } from '../../../src/server/log/request-log.js'
import { listenOtlp } from '../../../src/server/otlp-grpc.js'
import type { Store } from '../../../src/store/index.js'

afterEach(() => vi.restoreAllMocks())

const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
const ADDRESS = { host: '127.0.0.1', port: 0 }

async function serving({ all = true } = {}) {
  const entries: LogEntry[] = []
  const requests = new RequestLog((entry) => void entries.push(entry), { all })
  const listeners = [
    await listen(createApp({ store: {} as Store, writer }).fetch, { ...ADDRESS, requests }),
    await listenOtlp({ writer }, { ...ADDRESS, requests }),
  ] as const
  onTestFinished(async () => {
    for (const listener of listeners) await listener.close(AbortSignal.abort())
  })
  const [http, grpc] = listeners
  return { entries, url: `http://127.0.0.1:${http.port}`, endpoint: `127.0.0.1:${grpc.port}` }
}

describe('the id of a request', () => {
  it.each(['a', 'req-7f.3:b_c@d+e/f=', 'x'.repeat(128)])('is the one that it was sent with: %s', async (id) => {
    const { entries, url } = await serving()
    const response = await fetch(`${url}/nothing`, { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toBe(id)
    expect(await response.json()).toMatchObject({ code: 'not_found', requestId: id })
    await vi.waitFor(() =>
      expect(entries).toMatchObject([{ event: 'request', fields: { requestId: id, status: 404 } }]),
    )
  })

  it.each(['', 'a b', 'a"b', 'x'.repeat(129), 'é', '\u009B31m'])('is made where it is none: %j', async (id) => {
    const { url } = await serving()
    const response = await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('is in the metadata of a gRPC answer', async () => {
    const { entries, endpoint } = await serving()
    const client = new Client(endpoint, credentials.createInsecure())
    onTestFinished(() => client.close())
    const metadata = new Metadata()
    metadata.set('x-request-id', 'call-1')
    const bytes = (buffer: Buffer) => buffer
    const told = await new Promise<Metadata>((resolve) => {
      client.makeUnaryRequest('/nope/Nope', bytes, bytes, Buffer.alloc(0), metadata, (error) => {
        if (error) resolve(error.metadata)
      })
    })
    expect(told.get('x-request-id')).toEqual(['call-1'])
    await vi.waitFor(() =>
      expect(entries).toMatchObject([
        { fields: { requestId: 'call-1', path: '/nope/Nope', status: 12, method: 'POST' } },
      ]),
    )
  })
})

describe('the log of requests', () => {
  it('has no query, no header and no body', async () => {
    const { entries, url } = await serving()
    const headers = { authorization: 'Bearer planspan_secret', 'content-type': 'application/json' }
    await fetch(`${url}/api/sql?secret=1`, { method: 'POST', headers, body: '{"sql":"SELECT secret"}' })
    await vi.waitFor(() => expect(entries).toHaveLength(1))
    expect(entries[0]?.fields).toMatchObject({ path: '/api/sql', method: 'POST', from: '127.0.0.1', isBroken: false })
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  it('tells of those alone that took long, unless all are asked for', async () => {
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
