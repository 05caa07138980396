import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SCOPES, type Scope } from '../../../src/access/index.js'
import { openApiDocument } from '../../../src/server/openapi-document.js'
import { nameOf } from '../../../src/server/http/add-route.js'
import { createApp, startServer, type RunningServer } from '../../../src/server/index.js'
import { type Need, type Route, routeNamed, ROUTES } from '../../../src/wire/index.js'
import { freshDatabase } from '../../support/clickhouse.js'
import { testTokens, type TestTokens } from '../../support/token-file.js'

let tokens: TestTokens
let server: RunningServer
let drop: () => Promise<void>
/** The credentials of requests. */
const shown = new Map<string, string>()

beforeAll(async () => {
  tokens = testTokens()
  for (const scope of SCOPES) shown.set(scope, await tokens.make(scope, { scopes: [scope] }))
  shown.set('expired', await tokens.make('expired', { expiresAt: new Date(Date.now() - 1).toISOString() }))
  shown.set('revoked', await tokens.make('revoked'))
  await tokens.revoke('revoked')
  const whole = shown.get('read') ?? ''
  shown.set('wrong', `${whole.slice(0, -1)}${whole.endsWith('A') ? 'B' : 'A'}`)
  const fresh = await freshDatabase()
  drop = fresh.drop
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database, tokensFile: tokens.path })
})
afterAll(async () => {
  await server.close()
  await drop()
  tokens[Symbol.dispose]()
})

const PARAMETERS: Readonly<Record<string, string>> = { view: 'plans', traceId: 'a'.repeat(32), name: 'none.js' }
const urlOf = (path: string): string =>
  server.url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? 'none')

function ask(operation: string, who: string | undefined): Promise<Response> {
  const [method = '', path = ''] = operation.split(' ')
  const token = who === undefined ? undefined : shown.get(who)
  return fetch(urlOf(path), {
    method: method === 'ALL' ? 'PUT' : method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
}

/** The format of a rejection, by path. */
async function expectRefusal(response: Response, path: string, status: number): Promise<void> {
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="planspan"/)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  if (path.startsWith('/api/executor/')) return expect(type).toMatch(/^text\/plain/)
  const reported = JSON.parse(text) as object
  if (path.startsWith('/v1/')) return expect(reported).toMatchObject({ code: status === 401 ? 16 : 7 })
  expect(type).toBe('application/problem+json')
  expect(reported).toMatchObject({ status, code: status === 401 ? 'unauthenticated' : 'access_denied' })
}

const all = Object.entries<Route>(ROUTES).map(([name, { scope }]): [string, Need] => [name, scope])
const guarded = all.filter((entry): entry is [string, Scope] => (SCOPES as readonly string[]).includes(entry[1]))

describe.each(guarded)('%s needs %s', (operation, scope) => {
  const path = operation.slice(operation.indexOf(' ') + 1)

  test.each([undefined, 'wrong', 'expired', 'revoked'])('and rejects the token: %s', async (who) => {
    const response = await ask(operation, who)
    expect(response.status).toBe(401)
    await expectRefusal(response, path, 401)
  })

  test.each(SCOPES.filter((one) => one !== scope))('and rejects a token for %s', async (who) => {
    const response = await ask(operation, who)
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${scope}"`)
    await expectRefusal(response, path, 403)
  })

  test('and accepts a token for it', async () => {
    const response = await ask(operation, scope)
    expect([401, 403, 500]).not.toContain(response.status)
    await response.body?.cancel()
  })
})

test.each(all.filter(([, need]) => need === 'open'))('%s is open', async (operation) => {
  const response = await ask(operation, undefined)
  // 403 is the rejection of a session.
  expect([401, 403, 500]).not.toContain(response.status)
  await response.body?.cancel()
})

test('probes see whether the server is healthy, and nothing more', async () => {
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'alive' })
  expect(await (await fetch(`${server.url}/readyz?layout`)).json()).toEqual({ status: 'ready', planspan: null })
  expect((await ask('GET /readyz', 'wrong')).status).toBe(401)
  const reported = (await (await ask('GET /readyz', 'read')).json()) as object
  expect(reported).toMatchObject({ planspan: expect.any(String) as string, access: { tokens: 4, endSoon: 1 } })
})

test('unknown paths are reported only to callers with a token', async () => {
  expect((await ask('GET /api/nothing', undefined)).status).toBe(401)
  expect((await ask('GET /api/nothing', 'ingest')).status).toBe(404)
})

test('every route is declared, and every declared route is served', () => {
  const { store, writer } = { store: {}, writer: {} } as Parameters<typeof createApp>[0]
  const routes = createApp({ store, writer }).routes.filter(({ path }) => !path.endsWith('*'))
  const operations = new Set(routes.map(nameOf))
  expect(new Set(Object.keys(ROUTES))).toEqual(operations)
})

test('the document lists the accepted credentials of each operation', () => {
  const { paths, components } = openApiDocument()
  const reported = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security] as const),
  )
  for (const [operation, security] of reported) {
    const need = routeNamed(operation)?.scope
    expect([operation, security?.[0]?.['token']]).toEqual([
      operation,
      need === 'open' ? undefined : [need === 'brief' ? 'read' : need],
    ])
  }
  expect(components.securitySchemes).toMatchObject({ token: { type: 'http', scheme: 'bearer' } })
})
