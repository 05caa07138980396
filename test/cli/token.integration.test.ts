import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type HttpServer, listenHttp } from '../support/http-server.js'
import { runCli } from './run-cli.js'

const TOKEN = 'a-token-that-nobody-may-see'
const RECORD = fileURLToPath(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))

/** A server with useless responses that records the headers of each request. */
let server: HttpServer
let config: string
let directory: string
const requests: { readonly path: string; readonly authorization: string | undefined; readonly tenant: unknown }[] = []

beforeAll(async () => {
  server = await listenHttp(({ url = '', headers }, response) => {
    requests.push({ path: url, authorization: headers.authorization, tenant: headers['x-tenant'] })
    response.writeHead(404).end()
  })
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  config = join(directory, 'config.json')
  writeFileSync(config, JSON.stringify({ endpoint: server.url, token: TOKEN }), { mode: 0o600 })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

const COMMANDS = [
  ['import', RECORD],
  ['list'],
  ['list', '--facets'],
  ['show', 'x'],
  ['show', 'x', '--follow'],
  ['export'],
  ['verify', RECORD, '--endpoint'],
  ['generate', '--plans', '1'],
  ['doctor'],
  ['doctor', '--trace', '1'.repeat(32)],
]

describe.each(COMMANDS)('planspan %s %s', (...words) => {
  const args = words.map((word) => word ?? '')
  const at = () => args.flatMap((word) => (word === '--endpoint' ? [word, server.url] : [word]))

  test('sends the token of its configuration with each request, and does not reveal it', async () => {
    requests.length = 0
    const { out, err } = await runCli([...at(), '--config', config])
    expect(out + err).toContain(server.url)
    expect(out + err).not.toContain(TOKEN)
    expect(requests.length).toBeGreaterThan(0)
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]))
  })
})

test('headers of OpenTelemetry are sent, and the token overrides one of them', async () => {
  requests.length = 0
  const environment = {
    PLANSPAN_ENDPOINT: server.url,
    PLANSPAN_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20x,X-Tenant=acme',
  }
  await runCli(['import', RECORD], { environment })
  expect(requests.map(({ path }) => path)).toEqual(['/api/storage', '/v1/traces'])
  for (const { authorization, tenant } of requests) expect([authorization, tenant]).toEqual([`Bearer ${TOKEN}`, 'acme'])
})

test('doctor reports the sources of endpoint and token', async () => {
  const named = await runCli(['doctor', '--config', config])
  expect(named.out).toMatch(
    new RegExp(`^ok {4}The endpoint is ${server.url} \\(${config}\\); the token of ${config} is sent$`, 'm'),
  )
  const environment = { PLANSPAN_ENDPOINT: 'http://127.0.0.1:2', PLANSPAN_TOKEN: TOKEN }
  const other = await runCli(['doctor', '--endpoint', server.url], { environment })
  expect(other.out).toMatch(/; no token is sent$/m)
  expect(other.out).toMatch(/^warn {2}The token of PLANSPAN_TOKEN is not sent to http.*PLANSPAN_ENDPOINT/m)
  expect(other.out).not.toContain(TOKEN)
})
