import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'

import { type Client, ClientError, createClient } from '../../src/client/index.js'
import { type Route, ROUTES } from '../../src/wire/index.js'
import { listenHttp } from '../support/http-server.js'

const TOKEN = 'a-token-that-nobody-may-see'

const failure = async (asked: Promise<unknown>): Promise<ClientError> => {
  const error: unknown = await asked.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  if (error instanceof ClientError) return error
  throw new Error('It fails with no ClientError.', { cause: error })
}

const asks: [string, (client: Client) => Promise<unknown>][] = [
  ['a list', (client) => client.list()],
  ['facets', (client) => client.facets()],
  ['totals', (client) => client.totals()],
  ['a record', (client) => client.record('x')],
  ['a structure', (client) => client.structure('x')],
  ['spans', (client) => client.spans('x')],
  ['a search', (client) => client.search('x', 'y')],
  ['a span', (client) => client.span('x', 'a'.repeat(16))],
  ['a list’s changes', (client) => client.listChanges().next()],
  ['a plan’s spans', (client) => client.spanChanges('x').next()],
  ['a plan’s events', (client) => client.events('x').next()],
  ['an export', (client) => client.export().next()],
  ['faults', (client) => client.faults('x')],
  ['steps', (client) => client.steps('x')],
  ['a comparison', (client) => client.compare([{ planId: 'a' }, { planId: 'b' }])],
  ['sets', (client) => client.compareSets(['workflow=a', 'workflow=b'])],
  ['a check', (client) => client.check({ rules: [{ name: 'a', state: 'completed' }] }).next()],
  ['an answer in SQL', (client) => client.sql({ sql: 'SELECT 1' })],
  ['the rows of a view', (client) => client.view('plans')],
  ['an import', (client) => client.import('{}')],
  ['an erasure', (client) => client.erase('x')],
  ['a reading', (client) => client.traceReading('x')],
  ['storage', (client) => client.storage()],
  ['readiness', (client) => client.readiness()],
  ['metrics', (client) => client.metrics()],
]

describe.each([
  [200, 'application/json', '{}'],
  [200, 'application/json', '[1'],
  [200, 'text/html', '<p>'],
  [404, 'application/json', '{"detail":"Not Found"}'],
  [500, 'application/json', '{}'],
])('a server of another kind that returns %i %s %s', (status, type, body) => {
  test.each(asks)('is distinguished from planspan in a request for %s', async (_, ask) => {
    await using server = await listenHttp((_, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    expect(await failure(ask(createClient({ endpoint: server.url })))).toMatchObject({
      code: 'not_planspan',
      status,
      endpoint: server.url,
      message: `The server at ${server.url} is not a planspan server (status ${String(status)}). Name another endpoint.`,
    })
  })
})

test('each method of the client sends the request of the route that names it', async () => {
  const asked = new Set<string>()
  await using server = await listenHttp(({ method = '', url = '' }, response) => {
    asked.add(`${method} ${url.split('?')[0] ?? ''}`)
    response.writeHead(404).end()
  })
  const client = createClient({ endpoint: server.url })
  await Promise.all(asks.map(([, ask]) => failure(ask(client))))
  const routes = Object.entries<Route>(ROUTES).filter(([, { client: methods = [] }]) => methods.length > 0)
  const values: Readonly<Record<string, string>> = { id: 'x', traceId: 'x', view: 'plans', spanId: 'a'.repeat(16) }
  const expected = routes.map(([name]) => name.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
  expect([...asked].toSorted()).toEqual(expected.toSorted())
  const { endpoint: _, ...methods } = client
  const named = routes.flatMap(([, { client: names = [] }]) => names)
  expect(named.toSorted()).toEqual(Object.keys(methods).toSorted())
})

/** The requests that a server received. */
async function sent(
  ask: (client: Client) => Promise<unknown>,
  options: { headers?: Record<string, string>; token?: string; path?: string } = {},
) {
  const requests: Pick<IncomingMessage, 'url' | 'method' | 'headers'>[] = []
  const listener: RequestListener = ({ url, method, headers }, response) => {
    requests.push({ url, method, headers })
    response.end('{}')
  }
  const { path = '', ...rest } = options
  await using server = await listenHttp(listener)
  await failure(ask(createClient({ endpoint: `${server.url}${path}`, ...rest })))
  return requests[0]!
}

describe('a request', () => {
  test('carries the token and all headers', async () => {
    const { headers } = await sent((client) => client.list(), { token: TOKEN, headers: { 'x-tenant': 'acme' } })
    expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-tenant': 'acme' })
  })

  test('is sent below the endpoint’s path', async () => {
    expect((await sent((client) => client.list(), { path: '/planspan/' })).url).toBe('/planspan/api/records')
  })

  test('writes times, lists, numbers and flags as the server reads them, and omits undefined values', async () => {
    const { url = '' } = await sent((client) =>
      client.list({
        state: ['running', 'waiting'],
        since: new Date(Date.UTC(2026, 2, 4)),
        minRisk: 0.5,
        minDuration: '90s',
        all: false,
        agent: undefined,
      }),
    )
    expect(Object.fromEntries(new URL(url, 'http://localhost').searchParams)).toEqual({
      state: 'running,waiting',
      since: '2026-03-04T00:00:00.000Z',
      minRisk: '0.5',
      minDuration: '90s',
      all: 'false',
    })
  })

  test.each([
    ['plan-1', '/api/records/plan-1'],
    ['..', '/api/records/~Li4'],
    ['', '/api/records/~'],
    ['a/b', '/api/records/~YS9i'],
    ['?#% é', '/api/records/%3F%23%25%20%C3%A9'],
  ])('puts the record %j into its path', async (id, path) => {
    expect((await sent((client) => client.record(id))).url).toBe(path)
    const step = await sent((client) => client.record({ stepId: id }, { format: 'plan-act:sse' }))
    expect(step.url).toBe(`${path}?format=plan-act%3Asse&kind=step`)
  })
})

describe('a failure', () => {
  test('with a problem document has all its properties', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'invalid_record',
      detail: 'Nothing was imported.',
      records: [],
      refused: [{ line: 1, code: 'invalid_record', detail: 'no JSON' }],
      refusedCount: 1,
    }
    await using server = await listenHttp((_, response) =>
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem)),
    )
    const error = await failure(createClient({ endpoint: server.url }).import('x'))
    expect(error).toMatchObject({ code: 'invalid_record', status: 400, type: 'about:blank', endpoint: server.url })
    expect([error.message, error.detail]).toEqual([problem.detail, problem.detail])
    expect(error.problem).toEqual(problem)
  })

  test('for a missing token differs from a server of another kind', async () => {
    await using server = await listenHttp((_, response) => response.writeHead(401).end('Unauthorized'))
    const error = await failure(createClient({ endpoint: server.url, token: TOKEN }).record('x'))
    expect(error).toMatchObject({ code: 'denied', status: 401 })
    expect(error.message).toBe(`${server.url} requires a valid token (status 401). Pass the token of this server.`)
  })

  test('to connect says where, why and what to do', async () => {
    const { url } = await (async () => {
      await using server = await listenHttp(() => {})
      return server
    })()
    const error = await failure(createClient({ endpoint: url, token: TOKEN }).list())
    expect(error).toMatchObject({ code: 'unreachable', status: undefined, endpoint: url })
    expect(error.message).toBe(
      `No planspan server responds at ${url} (ECONNREFUSED). Start one with \`planspan serve\`, or name another endpoint.`,
    )
  })

  test('to respond in time is reported', async () => {
    await using server = await listenHttp(() => {})
    const error = await failure(createClient({ endpoint: server.url, timeoutMs: 50 }).list())
    expect(error).toMatchObject({ code: 'timeout', status: undefined })
  })

  test('is the signal’s reason if the signal aborts', async () => {
    await using server = await listenHttp(() => {})
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(createClient({ endpoint: server.url }).list({}, { signal })).rejects.toThrow('enough')
  })

  test('in the middle of a body is reported', async () => {
    await using server = await listenHttp((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"records":[')
      setImmediate(() => response.destroy())
    })
    const error = await failure(createClient({ endpoint: server.url }).list())
    expect(error.code).toBe('broken_off')
    expect(error.message).toMatch(/^The answer from http\S+ broke off \(.+\)\. Request it again\.$/)
  })

  test('of an invalid endpoint does not reveal it', () => {
    for (const endpoint of ['localhost', 'ftp://x', `http://user:${TOKEN}@x`, `http://user:${TOKEN}/x@y`]) {
      expect(() => createClient({ endpoint })).toThrow(/^The endpoint is invalid\. Pass a URL such as http/)
    }
  })
})

test('an invalid token or header is not revealed', () => {
  for (const options of [{ token: `${TOKEN}\nx` }, { headers: { 'x-key': `${TOKEN}\r\nx` } }]) {
    const create = () => createClient({ endpoint: 'http://localhost', ...options })
    expect(create).toThrow(/^The token or a header contains characters/)
  }
})

describe('a redirect', () => {
  test('is reported and not followed: a token is sent to its own server only', async () => {
    const elsewhere: string[] = []
    await using other = await listenHttp(({ headers }, response) => {
      elsewhere.push(JSON.stringify(headers))
      response.end()
    })
    await using server = await listenHttp((_, response) =>
      response.writeHead(302, { location: `${other.url}/login?back=1` }).end(),
    )
    const error = await failure(createClient({ endpoint: server.url, token: TOKEN }).list())
    expect(error).toMatchObject({ code: 'redirected', status: 302 })
    expect(error.message).toBe(
      `${server.url} redirects to ${other.url}, to which the client sends nothing. Name the right endpoint.`,
    )
    expect(elsewhere).toEqual([])
  })
})
