import { Client as GrpcClient, credentials, Metadata } from '@grpc/grpc-js'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { sessionKeyOf } from '../../../src/access/index.js'
import { byId, FIND_TRACES, GET_TRACES, query } from '../jaeger/jaeger-client.js'
import { idsOf, secretOf, SHARED, startTwoTenants, type TenantName, TENANTS, type TwoTenants } from './two-tenants.js'

let two: TwoTenants

beforeAll(async () => {
  two = await startTwoTenants()
}, 120_000)
afterAll(() => two[Symbol.asyncDispose]())

const other = (tenant: TenantName): TenantName => (tenant === 'acme' ? 'globex' : 'acme')

/** All bytes that Jaeger's port returns, as text. */
function jaeger(who: TenantName, method: string, request: Uint8Array = new Uint8Array()): Promise<string> {
  const client = new GrpcClient(two.server.jaegerEndpoint ?? '', credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${two.tokenOf[who]}`)
  return new Promise((resolve) => {
    const bytes: Buffer[] = []
    const path = `/jaeger.storage.v2.${method}`
    const call = client.makeServerStreamRequest(path, Buffer.from, (part: Buffer) => part, request, metadata)
    const end = (): void => {
      client.close()
      resolve(Buffer.concat(bytes).toString('latin1'))
    }
    call.on('data', (part: Buffer) => bytes.push(part))
    call.on('error', end)
    call.on('end', end)
  })
}

test.each(TENANTS)('Jaeger’s port returns only the data of %s to its token', async (who) => {
  const found = await jaeger(who, FIND_TRACES, query([8, 100]))
  expect(found).toContain(secretOf(who))
  expect(found).not.toContain(secretOf(other(who)))
  expect(await jaeger(who, GET_TRACES, byId(two.traceOf[who].traceId))).toContain(secretOf(who))
  expect(await jaeger(who, GET_TRACES, byId(two.traceOf[other(who)].traceId))).toBe('')
})

test('spans sent over gRPC belong to the tenant of their token', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${two.tokenOf.acme}`)
  const exporter = new OTLPTraceExporter({ url: two.server.grpcUrl ?? '' })
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const span = provider.getTracer('agent').startSpan('execute_tool browse')
  span.end()
  await provider.forceFlush()
  await provider.shutdown()
  vi.unstubAllEnvs()
  const { traceId } = span.spanContext()
  const status = async (who: TenantName | 'own') => (await two.ask(who, `/api/traces/${traceId}/reading`)).status
  expect([await status('acme'), await status('globex'), await status('own')]).toEqual([200, 404, 404])
})

test.each(TENANTS)('an assistant of %s sees only that tenant’s data', async (who) => {
  const assistant = new McpClient({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${two.tokenOf[who]}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${two.server.url}/mcp`), { requestInit }))
  const plans = JSON.stringify(await assistant.callTool({ name: 'find_plans', arguments: {} }))
  expect(plans).toContain(idsOf(who).planId)
  expect(plans).not.toContain(other(who))
  await assistant.close()
})

test('the page’s cookie is for the tenant of its token', async () => {
  const cookie = `planspan_session=${sessionKeyOf(two.tokenOf.acme)}`
  const ask = (path: string) => fetch(`${two.server.url}${path}`, { headers: { cookie } })
  expect(await (await ask(`/api/records/${SHARED.planId}`)).text()).toContain(secretOf('acme'))
  expect((await ask(`/api/records/${idsOf('globex').planId}`)).status).toBe(404)
  expect(await (await ask('/api/session')).json()).toMatchObject({ token: { name: 'of-acme', database: 'acme' } })
})

test('each tenant sees the health of its own database only', async () => {
  const readiness = async (who: TenantName | 'own') =>
    (await (await two.ask(who, '/readyz')).json()) as { database: string; access?: object }
  expect(await readiness('acme')).toMatchObject({ status: 'ready', database: 'acme' })
  expect(await readiness('own')).toMatchObject({ status: 'ready', database: 'otel', access: { tokens: 3 } })
  // A tenant does not see how many tokens other tenants have.
  expect(await readiness('acme')).not.toHaveProperty('access')
})

test('a token for a missing database is rejected with a reason, and no database is created', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const lost = await two.tokens.make('of-nobody', { database: 'nobody' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${two.server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${lost}`, 'content-type': 'application/json' },
    })
  await vi.waitFor(async () => expect((await ask('/api/records')).status).toBe(503), { timeout: 20_000 })
  expect(await (await ask('/api/records')).text()).toContain('planspan tenant create nobody')
  const spans = await ask('/v1/traces', { method: 'POST', body: '{}' })
  expect([spans.status, spans.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await spans.json()).toMatchObject({ code: 14 })
  const reported = warn.mock.calls.filter(([text]) => String(text).includes('The tenant nobody cannot be served'))
  expect(reported).toHaveLength(1)
  expect((await two.ask('acme', `/api/records/${SHARED.planId}`)).status).toBe(200)
  warn.mockRestore()
})
