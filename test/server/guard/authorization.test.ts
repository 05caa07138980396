import fc from 'fast-check'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { Gate, sessionKeyOf } from '../../../src/access/index.js'
import { guard } from '../../../src/server/guard/guard.js'
import { sessionRoute } from '../../../src/server/guard/session-route.js'
import { SESSION_COOKIE } from '../../../src/server/guard/request-credentials.js'
import { listen, type Listener } from '../../../src/server/http/listen.js'
import { testTokens } from '../../support/token-file.js'

const tokens = testTokens()
let token: string
let gate: Gate
let listener: Listener
const app = new Hono()

beforeAll(async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  token = await tokens.make('me', { scopes: ['read', 'ingest'], perSecond: 1_000_000 })
  gate = await Gate.open(tokens.path)
  app.use(guard(gate))
  app.get('/api/records', (c) => c.text('all of them'))
  app.post('/api/records', (c) => c.text('stored'))
  app.post('/api/sql', (c) => c.text('rows'))
  app.route('/', sessionRoute(gate))
  listener = await listen(app.fetch, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await listener.close(AbortSignal.abort())
  gate.close()
  tokens[Symbol.dispose]()
  vi.restoreAllMocks()
})

const ask = (headers: Record<string, string>, path = '/api/records', method = 'GET') =>
  app.request(`http://planspan.example${path}`, { method, headers: { host: 'planspan.example', ...headers } })

describe('the Authorization header', () => {
  test.each([
    ['Bearer T', 200],
    ['bearer T', 200],
    ['BEARER   T', 200],
    ['Bearer T ', 200],
    ['T', 401],
    ['BearerT', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer T T', 401],
    ['Bearer T,Bearer T', 401],
    ['Bearer "T"', 401],
    ['Basic T', 401],
    ['Token T', 401],
  ])('%j returns %i', async (form, status) => {
    const response = await ask({ authorization: form.replaceAll('T', token).replace(`${token}oken`, 'Token') })
    expect(response.status).toBe(status)
    if (status === 401) expect(await response.text()).not.toContain(token)
  })

  test('never grants access or causes an error, whatever it contains', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 100 }).map((text) => `Bearer ${text}`),
      fc
        .string({ unit: fc.constantFrom('planspan_', '-', '_', 'A', ' ', ',', '=', '"') })
        .map((text) => `Bearer ${text}`),
      fc.nat(60).map((length) => `Bearer ${token.slice(0, length)}`.replace(token, '')),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const isHeader = !/[^\t\x20-\xFF]|\x7F/.test(text)
        fc.pre(isHeader)
        const response = await fetch(`http://127.0.0.1:${String(listener.port)}/api/records`, {
          headers: { authorization: text },
        })
        expect(response.status).toBe(401)
        await response.body?.cancel()
      }),
      { numRuns: 300 },
    )
  })
})

describe('a session', () => {
  const SELF = { 'sec-fetch-site': 'same-origin' }
  const cookie = () => ({ cookie: `other=1; ${SESSION_COOKIE}=${sessionKeyOf(token)}; last=2` })
  const signIn = (headers: Record<string, string>, shown = token) =>
    app.request('http://planspan.example/api/session', {
      method: 'POST',
      headers: { host: 'planspan.example', ...headers },
      body: JSON.stringify({ token: shown }),
    })

  test('is started with a token, which is not in any cookie', async () => {
    const response = await signIn({ origin: 'http://planspan.example' })
    expect(response.status).toBe(204)
    const [pair, ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict'])
    expect(pair).not.toContain(token.slice(9))
    expect((await ask({ cookie: pair ?? '' })).status).toBe(200)
    expect(await (await ask({ cookie: pair ?? '' }, '/api/session')).json()).toEqual({
      token: { name: 'me', scopes: ['read'] },
    })
  })

  test('is Secure where the browser uses TLS, and ends with its token', async () => {
    const ending = await tokens.make('ending', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    const endless = await tokens.make('endless', { expiresAt: '2999-01-01T00:00:00.000Z' })
    await gate.look()
    const origin = { origin: 'https://planspan.example' }
    expect((await signIn(origin, ending)).headers.get('set-cookie')).toMatch(/; Max-Age=3(600|59\d); Secure$/)
    expect((await signIn(origin, endless)).headers.get('set-cookie')).toMatch(/; Max-Age=34560000; Secure$/)
    await tokens.revoke('ending')
    await gate.look()
    expect((await ask({ cookie: `${SESSION_COOKIE}=${sessionKeyOf(ending)}` })).status).toBe(401)
  })

  test.each([
    ['reads', '/api/records', 'GET', {}, 200],
    ['reads for its page', '/api/records', 'GET', SELF, 200],
    ['asks for its page', '/api/sql', 'POST', { ...SELF, origin: 'http://planspan.example' }, 200],
    ['asks for its page behind a proxy with TLS', '/api/sql', 'POST', { origin: 'https://planspan.example' }, 200],
    ['reads for who typed the address', '/api/records', 'GET', { 'sec-fetch-site': 'none' }, 200],
    ['writes nothing', '/api/records', 'POST', SELF, 403],
    ['reads nothing for another site', '/api/records', 'GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['reads nothing for another port', '/api/records', 'GET', { 'sec-fetch-site': 'same-site' }, 403],
    ['asks nothing for another page', '/api/sql', 'POST', { origin: 'http://evil.example' }, 403],
    ['asks nothing for no page', '/api/sql', 'POST', { origin: 'null' }, 403],
  ])('%s', async (_, path, method, headers, status) => {
    expect((await ask({ ...cookie(), ...headers }, path, method)).status).toBe(status)
  })

  test('is neither started nor ended by another page', async () => {
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await signIn(headers)).status).toBe(403)
      expect((await ask(headers, '/api/session', 'DELETE')).status).toBe(403)
    }
    const ended = await ask(SELF, '/api/session', 'DELETE')
    expect(ended.headers.get('set-cookie')).toMatch(
      /^planspan_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
    )
  })

  test('is not started without a token that may read', async () => {
    const sender = await tokens.make('sender', { scopes: ['ingest'] })
    await gate.look()
    expect((await signIn(SELF, sender)).status).toBe(403)
    expect((await signIn(SELF, 'planspan_')).status).toBe(401)
    expect((await signIn(SELF, sessionKeyOf(token))).status).toBe(401)
  })

  test('has a lower precedence than a token, and is invalid with a token in the cookie', async () => {
    expect((await ask({ ...cookie(), authorization: 'Bearer x' })).status).toBe(401)
    expect((await ask({ cookie: `${SESSION_COOKIE}=${token}` })).status).toBe(401)
  })
})
