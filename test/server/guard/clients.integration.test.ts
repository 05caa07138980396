import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as GrpcClient, credentials, Metadata, status } from '@grpc/grpc-js'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { createClient } from '../../../src/client/index.js'
import { type RunningServer, startServer } from '../../../src/server/index.js'
import { plan, register } from '../../../src/tracing/index.js'
import { freshDatabase } from '../../support/clickhouse.js'
import { testTokens, type TestTokens } from '../../support/token-file.js'
import { runCli } from '../../cli/run-cli.js'

let tokens: TestTokens
let server: RunningServer
let drop: () => Promise<void>
let ingest: string
let read: string
let little: string

beforeAll(async () => {
  tokens = testTokens()
  ingest = await tokens.make('agent', { scopes: ['ingest'] })
  read = await tokens.make('person', { scopes: ['read'] })
  little = await tokens.make('little', { scopes: ['ingest', 'read'], perSecond: 1 })
  const fresh = await freshDatabase()
  drop = fresh.drop
  server = await startServer({
    port: 0,
    grpcPort: 0,
    jaegerPort: 0,
    clickhouse: fresh.url,
    database: fresh.database,
    tokensFile: tokens.path,
  })
  const registration = await register({ endpoint: server.url, token: ingest, serviceName: 'agent' })
  await plan({ workflow: 'w', title: 'Of an agent with a token' }, async (p) =>
    p.agent({ name: 'a' }, async () => 'done'),
  )
  await registration.shutdown()
})
afterAll(async () => {
  await server.close()
  await drop()
  tokens[Symbol.dispose]()
})
beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function spansOfSdk(): Promise<ReadableSpan[]> {
  const memory = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] })
  provider.getTracer('agent').startSpan('execute_tool browse').end()
  await provider.forceFlush()
  return memory.getFinishedSpans()
}

async function exported(exporter: SpanExporter): Promise<{ code: number; message: string }> {
  const spans = await spansOfSdk()
  const result = await new Promise<{ code: number; message: string }>((resolve) => {
    exporter.export(spans, ({ code, error }) => resolve({ code, message: error?.message ?? '' }))
  })
  await exporter.shutdown()
  return result
}

describe('OpenTelemetry’s own exporter', () => {
  const WAYS = [
    ['JSON', () => new JsonExporter({ url: `${server.url}/v1/traces` })],
    ['protobuf', () => new ProtobufExporter({ url: `${server.url}/v1/traces` })],
    ['gRPC', () => new GrpcExporter({ url: server.grpcUrl ?? '' })],
  ] as const

  test.each(WAYS)('with %s reads its token from OTEL_EXPORTER_OTLP_HEADERS', async (_, exporter) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${ingest}`)
    expect(await exported(exporter())).toEqual({ code: 0, message: '' })
  })

  test.each(WAYS)(
    'with %s is rejected at once without a token, and with a token for reading only',
    async (_, exporter) => {
      expect(await exported(exporter())).toMatchObject({
        code: 1,
        message: expect.stringMatching(/401|Unauth|16/i) as string,
      })
      vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${read}`)
      expect(await exported(exporter())).toMatchObject({
        code: 1,
        message: expect.stringMatching(/403|Forbid|PERM|7/i) as string,
      })
    },
  )

  // The gRPC exporter never retries.
  test.each(WAYS.slice(0, 2))('with %s retries a throttled export', async (_, exporter) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${little}`)
    const all = await Promise.all([exported(exporter()), exported(exporter())])
    expect(all).toEqual([
      { code: 0, message: '' },
      { code: 0, message: '' },
    ])
  })
})

test('register() sends with its token, and the client reads with its token', async () => {
  const { records } = await createClient({ endpoint: server.url, token: read }).list()
  expect(records.map(({ title }) => title)).toContain('Of an agent with a token')
  await expect(createClient({ endpoint: server.url }).list()).rejects.toMatchObject({
    status: 401,
    code: 'unauthenticated',
  })
  await expect(createClient({ endpoint: server.url, token: ingest }).list()).rejects.toMatchObject({
    status: 403,
    message: 'This request requires the scope read; the token has ingest.',
  })
})

test('the command line reads with a token from its environment or its configuration', async () => {
  const environment = { PLANSPAN_ENDPOINT: server.url, PLANSPAN_TOKEN: read }
  expect((await runCli(['list'], { environment })).out).toContain('Of an agent with a token')
  const refused = await runCli(['list', '--endpoint', server.url])
  expect(refused).toMatchObject({
    code: 3,
    err: expect.stringContaining('PLANSPAN_TOKEN together with PLANSPAN_ENDPOINT') as string,
  })
  const directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  const config = join(directory, 'config.json')
  writeFileSync(config, JSON.stringify({ endpoint: server.url, token: read }), { mode: 0o600 })
  expect((await runCli(['list', '--config', config])).out).toContain('Of an agent with a token')
  rmSync(directory, { recursive: true })
})

test('doctor reports tokens to a caller with a token, and asks other callers for one', async () => {
  const environment = { PLANSPAN_ENDPOINT: server.url, PLANSPAN_TOKEN: read }
  expect((await runCli(['doctor'], { environment })).out).toMatch(
    /^ok {4}It requires a token and has 3; requests rejected: /m,
  )
  const stranger = await runCli(['doctor', '--endpoint', server.url])
  expect(stranger).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^fail {2}The server at .* requires a token/m) as string,
  })
})

test('an assistant sends the header of its configuration', async () => {
  const assistant = new McpClient({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${read}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  const answer = await assistant.callTool({ name: 'find_plans', arguments: {} })
  expect(JSON.stringify(answer)).toContain('Of an agent with a token')
  await assistant.close()
  const other = new McpClient({ name: 'other', version: '1.0.0' })
  await expect(other.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))).rejects.toThrow(
    /401|Unauthorized|token/i,
  )
})

test('Jaeger’s port accepts a token in the form in which Jaeger can send it', async () => {
  const client = new GrpcClient(server.jaegerEndpoint ?? '', credentials.createInsecure())
  const services = (metadata: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const all = new Metadata()
      for (const [name, value] of Object.entries(metadata)) all.set(name, value)
      const asIs = (bytes: Buffer): Buffer => bytes
      const path = '/jaeger.storage.v2.TraceReader/GetServices'
      client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), all, (error) => resolve(error?.code ?? 0))
    })
  expect(await services({ authorization: `Bearer ${read}` })).toBe(status.OK)
  expect(await services({ 'bearer.token': read })).toBe(status.OK)
  expect(await services({})).toBe(status.UNAUTHENTICATED)
  expect(await services({ authorization: 'Bearer x', 'bearer.token': read })).toBe(status.UNAUTHENTICATED)
  expect(await services({ authorization: `Bearer ${ingest}` })).toBe(status.PERMISSION_DENIED)
  client.close()
})

test('a live stream ends with its token, and continues for other clients', async () => {
  const guest = await tokens.make('guest', { scopes: ['read'] })
  const ask = (path: string, token: string) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  await vi.waitFor(async () => expect((await ask('/api/session', guest)).status).toBe(200), { timeout: 20_000 })
  const events = await ask('/api/events', guest)
  const others = await ask('/api/events', read)
  await tokens.revoke('guest')
  // Resolves only when the stream ends.
  expect(await events.text()).toContain('event: known')
  expect((await ask('/api/events', guest)).status).toBe(401)
  const reader = others.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  await reader?.cancel()
})

test('a server without tokens is open, even to a client that sends one', async () => {
  const fresh = await freshDatabase()
  const open = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
  for (const headers of [{}, { authorization: 'Bearer x' }]) {
    expect((await fetch(`${open.url}/api/records`, { headers })).status).toBe(200)
  }
  expect(await (await fetch(`${open.url}/api/session`)).json()).toEqual({ token: null })
  await open.close()
  await fresh.drop()
})
