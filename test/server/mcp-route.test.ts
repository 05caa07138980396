import type { Hono } from 'hono'
import { describe, expect, test } from 'vitest'

import { mcpRoute } from '../../src/server/mcp-route.js'
import { unreachableApp } from './test-app.js'

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const call = (name: string, asked: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: asked } })

const post = (app: Hono, body: string, headers: Record<string, string> = {}, url = '/mcp') =>
  app.request(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body })

/** The body of a response, which is either a single event or JSON. */
const said = async (response: Response): Promise<string> => (await response.text()).replaceAll('\\"', '"')

describe('POST /mcp', () => {
  test('answers without a session, and names the capabilities that the server lacks', async () => {
    const response = await post(unreachableApp(), call('find_plans'))
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null])
    expect(await said(response)).toMatch(/They are data about past events.*does not answer.*"isError":true/)
  })

  test.each(['GET', 'DELETE', 'PUT'])('is the only method: %s is not allowed', async (method) => {
    expect((await unreachableApp().request('/mcp', { method, headers: HEADERS })).status).toBe(405)
  })

  test('is guarded like the other routes: other origins and hosts are rejected', async () => {
    const app = unreachableApp({ localOnly: true })
    expect((await post(app, call('find_plans'), { origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(app, call('find_plans'), {}, 'http://evil.example/mcp')).status).toBe(403)
    expect((await post(app, call('find_plans'), { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('rejects bodies larger than any tool call needs', async () => {
    expect((await post(unreachableApp(), call('find_plans', { text: 'x'.repeat(2 << 20) }))).status).toBe(413)
    expect((await post(unreachableApp(), '{')).status).toBe(400)
  })

  test('runs tools with the caller’s token and the connection of the request', async () => {
    const asked: [string, string | null, unknown][] = []
    const app = mcpRoute((url, init, env: unknown) => {
      asked.push([new URL(url).pathname, new Headers(init.headers).get('authorization'), env])
      return Response.json({ records: [], nextCursor: null })
    })
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 7 } } }
    const init = { method: 'POST', headers: { ...HEADERS, authorization: 'Bearer mine' }, body: call('find_plans') }
    expect(await said(await app.request('/mcp', init, env))).toContain('"plans":[]')
    await app.request('/mcp', { ...init, headers: HEADERS }, env)
    expect(asked).toEqual([
      ['/api/records', 'Bearer mine', env],
      ['/api/records', null, env],
    ])
  })

  test('keeps no stream open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { notifications: { toolsListChanged: true }, _meta: meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params })
    const response = await post(unreachableApp(), body, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    expect(await said(response)).toContain('Subscription limit reached')
  })
})
