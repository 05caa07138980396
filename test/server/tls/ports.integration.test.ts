import { credentials, status } from '@grpc/grpc-js'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type RunningServer, startServer } from '../../../src/server/index.js'
import { runCli } from '../../cli/run-cli.js'
import { type Authority, testAuthority } from '../../support/certificates.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { type TestTokens, testTokens } from '../../support/token-file.js'
import { FIND_IDS, jaegerClient, query } from '../jaeger/jaeger-client.js'

let authority: Authority
let database: FreshDatabase
let tokens: TestTokens
let token: string
let server: RunningServer

const serving = (tls: { cert: string; key: string }, options = {}) =>
  startServer({ port: 0, clickhouse: database.url, database: database.database, tls, ...options })

beforeAll(async () => {
  authority = testAuthority()
  database = await freshDatabase()
  tokens = testTokens()
  token = await tokens.make('all')
  server = await serving(authority.make('server'), { grpcPort: 0, jaegerPort: 0, tokensFile: tokens.path })
})
afterAll(async () => {
  await server.close()
  await database.drop()
  tokens[Symbol.dispose]()
  authority[Symbol.dispose]()
})

/** Runs `curl` as a person would; returns the response with the status at the end. */
const curl = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '-m',
    '20',
    '-w',
    '%{http_code} %{http_version}',
    ...args,
  ])
  return stdout
}

/** Sends a span; returns how many spans of its name ClickHouse has. */
async function send(exporter: SpanExporter, name: string): Promise<() => Promise<string>> {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  provider.getTracer('agent').startSpan(name).end()
  await provider.forceFlush()
  await provider.shutdown()
  const { url, database: name_ } = database
  const count = `SELECT count() FROM ${name_}.otel_traces FINAL WHERE SpanName = '${name}'`
  return () => execute(url, count)
}

const WAIT = { timeout: 20_000, interval: 100 }

describe('with a certificate', () => {
  it('all shown addresses use TLS', () => {
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(server.grpcUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(server.jaegerEndpoint).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  it('an SDK’s exporters send spans over https and over gRPC', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const overHttp = new HttpExporter({
      url: `${server.url}/v1/traces`,
      headers,
      httpAgentOptions: { ca: authority.pem },
    })
    await expect.poll(await send(overHttp, 'over https'), WAIT).toBe('1\n')
    const { Metadata } = await import('@grpc/grpc-js')
    const metadata = Metadata.fromHttp2Headers(headers)
    const overGrpc = new GrpcExporter({
      url: server.grpcUrl ?? '',
      metadata,
      credentials: credentials.createSsl(authority.pem),
    })
    await expect.poll(await send(overGrpc, 'over grpcs'), WAIT).toBe('1\n')
  })

  it('Jaeger’s port accepts TLS only', async () => {
    const ask = async (trust?: ReturnType<typeof credentials.createSsl>) => {
      const client = jaegerClient(server.jaegerEndpoint ?? '', trust)
      const { code } = await client.unary(FIND_IDS, query())
      client.close()
      return code
    }
    expect(await ask(credentials.createSsl(authority.pem))).toBe(status.UNAUTHENTICATED)
    expect(await ask()).toBe(status.UNAVAILABLE)
  })

  it('curl is accepted with the authority, and fails without it', async () => {
    expect(await curl('--cacert', authority.file, `${server.url}/healthz`)).toBe('{"status":"alive"}200 1.1')
    await expect(curl(`${server.url}/healthz`)).rejects.toThrow(/SSL certificate problem/)
  })

  it('the page’s cookie is sent over TLS only', async () => {
    const body = ['-d', JSON.stringify({ token }), '-H', `origin: ${server.url}`]
    const said = await curl('--cacert', authority.file, '-D', '-', ...body, `${server.url}/api/session`)
    expect(said).toMatch(/set-cookie: planspan_session=[^;]+;.*; Secure/)
  })

  it('/readyz reports when the certificate expires, to callers with read access only', async () => {
    const ask = (...args: string[]) => curl('--cacert', authority.file, ...args, `${server.url}/readyz`)
    expect(await ask('-H', `authorization: Bearer ${token}`)).toMatch(
      /"certificate":\{"endsAt":"[^"]+Z","endsSoon":false\}\}200/,
    )
    expect(await ask()).not.toContain('certificate')
  })
})

describe('the command line', () => {
  const list = (endpoint: string, trusted = true) =>
    runCli(['list', '--endpoint', endpoint], { environment: trusted ? { NODE_EXTRA_CA_CERTS: authority.file } : {} })

  it('reads over TLS with the authority’s certificate, and names what it lacks without', async () => {
    const open = await serving(authority.make('open'))
    const generate = ['generate', '--plans', '1', '--endpoint', open.url]
    const environment = { NODE_EXTRA_CA_CERTS: authority.file }
    expect(await runCli(generate, { environment })).toMatchObject({ code: 0 })
    expect(await list(open.url)).toMatchObject({ code: 0 })
    const unknown = /the authority of its certificate is unknown here\. Name .*NODE_EXTRA_CA_CERTS/
    expect((await list(open.url, false)).err).toMatch(unknown)
    expect((await runCli(generate)).err).toMatch(unknown)
    await open.close()
  })

  it('reports a certificate for another name, an expired certificate, and a server without a certificate', async () => {
    const elsewhere = await serving(authority.make('elsewhere', { names: 'DNS:planspan.example' }))
    expect((await list(elsewhere.url)).err).toMatch(/certificate is for other names.*ERR_TLS_CERT_ALTNAME_INVALID/)
    await elsewhere.close()
    const ended = await serving(authority.make('ended', { days: -1 }))
    expect((await list(ended.url)).err).toMatch(/certificate has expired/)
    await ended.close()
    const plain = await startServer({ port: 0, clickhouse: database.url, database: database.database })
    expect((await list(plain.url.replace('http:', 'https:'))).err).toMatch(/does not use TLS\. Begin .*http:\/\//)
    await plain.close()
  })
})
