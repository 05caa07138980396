import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { type HttpServer, listenHttp } from '../support/http-server.js'
import { type TestTokens, testTokens } from '../support/token-file.js'
import { startViewer, type Viewer } from './support/viewer.js'

let app: HttpServer
let other: HttpServer
let tokens: TestTokens
let viewer: Viewer
beforeAll(async () => {
  const page = () =>
    listenHttp((_, response) => response.setHeader('content-type', 'text/html').end('<title>app</title>'))
  app = await page()
  other = await page()
  tokens = testTokens()
  viewer = await startViewer({
    tokensFile: tokens.path,
    senderToken: await tokens.make('sender'),
    corsOrigins: [app.url],
  })
})
afterAll(async () => {
  await viewer.close()
  await app[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  tokens[Symbol.dispose]()
})

interface FetchResult {
  readonly status: number
  readonly requestId: string | null
  readonly body: string
}

/** Fetches in a page, as an agent in the page does. */
const fetchIn = (page: Page, path: string, init: RequestInit): Promise<FetchResult> =>
  page.evaluate(
    `fetch(${JSON.stringify(viewer.url + path)}, ${JSON.stringify(init)}).then(async (response) => ({
      status: response.status, requestId: response.headers.get('x-request-id'), body: await response.text() }))`,
  )

const span = {
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  name: 'plan in a browser',
  startTimeUnixNano: `${Date.now()}000000`,
  endTimeUnixNano: `${Date.now()}000000`,
  attributes: [{ key: 'planspan.plan.id', value: { stringValue: 'plan-browser' } }],
}
const BODY = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })

test('a page of an allowed origin exports spans and reads them, with a token', async () => {
  const token = await tokens.make('browser')
  const page = await viewer.open(app.url)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    traceparent: `00-${span.traceId}-${span.spanId}-01`,
  }
  // The server reads the token file once a second.
  await expect
    .poll(async () => (await fetchIn(page, '/v1/traces', { method: 'POST', headers, body: BODY })).status)
    .toBe(200)
  const read = await fetchIn(page, '/api/traces/' + span.traceId + '/reading', { headers })
  expect(read).toMatchObject({ status: 200, requestId: expect.stringMatching(/^[\da-f-]{36}$/) })
  expect(read.body).toContain('plan in a browser')
})

test('without a token it receives the reason, and a session does not help', async () => {
  const page = await viewer.open(app.url)
  expect(await fetchIn(page, '/api/records', {})).toMatchObject({ status: 401 })
  // Without Access-Control-Allow-Credentials the browser hides such a response from the page.
  await expect(fetchIn(page, '/api/records', { credentials: 'include' })).rejects.toThrow(/Failed to fetch/)
})

test('a page of another origin cannot send or read anything', async () => {
  const page = await viewer.open(other.url)
  const headers = { 'content-type': 'application/json' }
  await expect(fetchIn(page, '/v1/traces', { method: 'POST', headers, body: BODY })).rejects.toThrow(/Failed to fetch/)
  await expect(fetchIn(page, '/healthz', {})).rejects.toThrow(/Failed to fetch/)
})
