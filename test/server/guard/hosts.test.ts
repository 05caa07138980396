import { request } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { createApp } from '../../../src/server/index.js'
import { listen, type Listener } from '../../../src/server/http/listen.js'
import type { Store } from '../../../src/store/index.js'

let listener: Listener
afterEach(async () => {
  vi.restoreAllMocks()
  await listener.close(AbortSignal.abort())
})

/** The status of a request to a server without a store and a writer. */
async function statusOf(host: string, { localOnly, method, path }: Asked): Promise<number | undefined> {
  const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
  listener = await listen(createApp({ store: {} as Store, writer, localOnly }).fetch, { host: '127.0.0.1', port: 0 })
  return new Promise((resolve, reject) => {
    const headers = { host, origin: 'https://example.org' }
    request({ port: listener.port, host: '127.0.0.1', method, path, headers }, ({ statusCode }) => resolve(statusCode))
      .once('error', reject)
      .end()
  })
}

interface Asked {
  readonly localOnly: boolean
  readonly method: string
  readonly path: string
}

describe.each([true, false])('a server with localOnly: %s', (localOnly) => {
  test.each([
    // Invalid names that look like hosts: malformed Punycode and IPv4 addresses.
    ['xn--localhost', 'GET', '/healthz', 400],
    ['xn--localhost', 'GET', '/nope', 400],
    ['xn--localhost', 'POST', '/api/records', 400],
    ['256.0.0.1', 'GET', '/healthz', 400],
    ['LOCALHOST', 'GET', '/healthz', 200],
    ['127.1', 'GET', '/healthz', 200],
    ['example.org', 'GET', '/healthz', localOnly ? 403 : 200],
    ['xn--bcher-kva.example', 'GET', '/healthz', localOnly ? 403 : 200],
  ])('answers the host %s for %s %s with %i', async (host, method, path, status) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    expect(await statusOf(host, { localOnly, method, path })).toBe(status)
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('a changing request', () => {
  const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
  const app = createApp({ store: {} as Store, writer })
  // An invalid record: requests that pass the guard are rejected for it.
  const statusFor = async (at: string, headers: Record<string, string>) =>
    (await app.request(`${at}/api/records`, { method: 'POST', body: '{', headers })).status
  const own = 'https://planspan.example'
  const plain = 'http://planspan.example'

  test.each([
    ['a page over HTTP', plain, { origin: plain }],
    ['a page over TLS', own, { origin: own }],
    ['a page behind a proxy that ends TLS', plain, { origin: own }],
    ['the same, of a proxy that says so', plain, { origin: own, 'x-forwarded-proto': 'https' }],
    [
      'a page behind a proxy that asks by another name',
      'http://upstream',
      { origin: own, 'sec-fetch-site': 'same-origin' },
    ],
    ['no page', own, {}],
  ])('is accepted from %s', async (_, at, headers) => {
    expect(await statusFor(at, headers)).toBe(400)
  })

  test.each([
    ['another host', plain, { origin: 'http://evil.example' }],
    ['another port', plain, { origin: `${plain}:8080` }],
    ['a subdomain', plain, { origin: 'http://a.planspan.example' }],
    ['an opaque origin', plain, { origin: 'null' }],
    ['something that is no origin', plain, { origin: 'planspan.example' }],
    ['the same host without TLS, where there is TLS', own, { origin: plain }],
    ['the same, behind a proxy that says so', plain, { origin: plain, 'x-forwarded-proto': 'https' }],
    [
      'the same host, which the browser reports as cross-site',
      plain,
      { origin: plain, 'sec-fetch-site': 'cross-site' },
    ],
    ['a site beside it', plain, { 'sec-fetch-site': 'same-site' }],
  ])('is rejected from a page of %s', async (_, at, headers) => {
    expect(await statusFor(at, headers)).toBe(403)
  })
})
