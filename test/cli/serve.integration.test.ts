import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { encodeRequest } from '../otlp/encode-request.js'
import { jaegerClient } from '../server/jaeger/jaeger-client.js'
import { otlpClient } from '../server/otlp-client.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'
import { execute } from '../support/clickhouse.js'
import { processesIn } from './processes-in.js'
import { MAIN, runCli, startServe } from './run-cli.js'

const sample = new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url)

test('kill -9 leaves no process behind, and a new serve on the directory returns the same records', async () => {
  const data = temporaryDirectory()
  const first = await startServe(['--data', data])
  const imported = await runCli(['import', sample.pathname, '--endpoint', first.line.url])
  expect(imported.code).toBe(0)
  expect(processesIn(data)).toHaveLength(1)
  expect(await first.end('SIGKILL')).toEqual([null, 'SIGKILL'])
  await vi.waitFor(() => expect(processesIn(data)).toEqual([]), { timeout: 10_000, interval: 20 })

  const second = await startServe(['--data', data])
  const shown = await runCli(['show', 'plan-1767061562002', '--endpoint', second.line.url])
  expect(shown.stdout).toEqual(readFileSync(sample))
  expect(await second.end('SIGTERM')).toEqual([0, null])
  expect(processesIn(data)).toEqual([])
})

test('a store that keeps spans for a year returns records of any times byte for byte', async () => {
  const serving = await startServe(['--data', temporaryDirectory(), '--time-window', '1'])
  const time = (day: number) => new Date(Date.UTC(1960, 0, 1) + day * 700 * 86_400_000).toISOString().slice(0, -1)
  const records = Array.from({ length: 120 }, (_, day) =>
    JSON.stringify({
      planId: `plan-${day}`,
      title: 't',
      agentExecutionSequence: [],
      startTime: time(day),
      endTime: time(day + 1),
    }),
  )
  const file = join(temporaryDirectory(), 'records.jsonl')
  writeFileSync(file, records.join('\n'))
  const verified = await runCli(['verify', file, '--endpoint', serving.line.url])
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('identical') })
  const posted = await fetch(`${serving.line.url}/api/records`, { method: 'POST', body: readFileSync(file) })
  expect(await posted.json()).toMatchObject({ refused: [], refusedCount: 0 })
  const days = await execute(serving.clickhouse.url, 'SELECT uniq(toDate(Timestamp)) < 10 FROM otel.otel_traces')
  expect(days).toBe('1\n')
  expect(await serving.end('SIGTERM')).toEqual([0, null])
})

test('SIGINT ends it with exit code 0 and leaves no process', async () => {
  const data = temporaryDirectory()
  const serving = await startServe(['--data', data])
  expect(serving.line).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    clickhouseUrl: expect.stringMatching(/^http:\/\/planspan@127\.0\.0\.1:\d+$/),
    clickhouseReaderUrl: expect.stringMatching(/^http:\/\/planspan_reader@127\.0\.0\.1:\d+$/),
    credentialsFile: join(data, 'credentials.json'),
    clickhouseNativePort: expect.any(Number),
    pid: serving.child.pid,
    dataDirectory: data,
  })
  expect(await serving.end('SIGINT')).toEqual([0, null])
  expect(processesIn(data)).toEqual([])
})

test.each([
  ['for people', []],
  ['as JSON', ['--json']],
])('%s, serve prints where the passwords are, but no password', async (_, options) => {
  const data = temporaryDirectory()
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', data, ...options])
  const texts: string[] = []
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      texts.push(chunk.toString())
      if (texts.join('').includes(data)) resolve()
    })
  })
  child.stderr.on('data', (chunk: Buffer) => texts.push(chunk.toString()))
  await ready
  child.kill('SIGTERM')
  await once(child, 'close')
  const printed = texts.join('')
  const file = join(data, 'credentials.json')
  expect(printed).toContain(file)
  expect(printed).toContain('http://planspan_reader@127.0.0.1:')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const passwords = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
  expect(passwords).toHaveLength(2)
  expect(passwords.filter((password) => printed.includes(password))).toEqual([])
})

test('reads the password of an external ClickHouse from the environment, whatever its characters', async () => {
  const store = await startServe(['--data', temporaryDirectory()])
  const { username, password, origin } = new URL(store.clickhouse.url)
  const url = origin.replace('//', `//${username}@`)
  const serving = await startServe(['--clickhouse', url], { environment: { CLICKHOUSE_PASSWORD: password } })
  expect((await fetch(`${serving.line.url}/readyz`)).status).toBe(200)
  expect(await serving.end('SIGTERM')).toEqual([0, null])
  const wrong = await runCli(['serve', '--port', '0', '--clickhouse', url], {
    environment: { CLICKHOUSE_PASSWORD: 's/cr#t%@' },
  })
  expect(wrong.err).toMatch(/refuses the user or the password.*CLICKHOUSE_PASSWORD/)
  expect(wrong.err).not.toMatch(/s\/cr|s%2Fcr/)
  await store.end('SIGTERM')
})

test('a second serve on the same directory or port fails with instructions', async () => {
  const data = temporaryDirectory()
  const serving = await startServe(['--data', data])
  const sameDirectory = await runCli(['serve', '--data', data, '--port', '0'])
  expect(sameDirectory.code).toBe(3)
  expect(sameDirectory.err).toContain(`in use by process ${serving.line.pid}`)
  const port = new URL(serving.line.url).port
  const samePort = await runCli(['serve', '--clickhouse', serving.clickhouse.url, '--port', port])
  expect(samePort.code).toBe(3)
  expect(samePort.err).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use.*--port`))
  await serving.end('SIGTERM')
})

test('an external ClickHouse is used instead of an embedded one, and is left unchanged', async () => {
  const store = await startServe(['--data', temporaryDirectory()])
  const serving = await startServe(['--clickhouse', store.clickhouse.url, '--database', 'other'])
  expect(serving.line).toMatchObject({ dataDirectory: null, clickhouseNativePort: null })
  await runCli(['import', sample.pathname, '--endpoint', serving.line.url])
  const listed = async (url: string) => (await runCli(['list', '--json', '--endpoint', url])).out
  expect(await listed(serving.line.url)).toContain('plan-1767061562002')
  expect(await listed(store.line.url)).toBe('')
  expect(await serving.end('SIGTERM')).toEqual([0, null])
  expect((await fetch(`${store.line.url}/readyz`)).status).toBe(200)
  await store.end('SIGTERM')
})

test('rejects spans older than the retention, and import reports it', async () => {
  const serving = await startServe(['--data', temporaryDirectory(), '--retention', '30'])
  const { code, err } = await runCli(['import', sample.pathname, '--endpoint', serving.line.url])
  expect(code).toBe(2)
  expect(err).toMatch(/4 spans refused: .+/)
  await serving.end('SIGTERM')
})

test('receives OTLP over gRPC if enabled, and acknowledged spans survive SIGTERM', async () => {
  const data = temporaryDirectory()
  const first = await startServe(['--data', data])
  expect(first.line.grpcUrl).toBeNull()
  await first.end('SIGTERM')
  const second = await startServe(['--data', data, '--grpc-port', '0'])
  expect(second.line.grpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { port } = new URL(second.line.grpcUrl ?? '')
  const taken = await runCli(['serve', '--clickhouse', second.clickhouse.url, '--port', '0', '--grpc-port', port])
  expect([taken.code, taken.err]).toEqual([3, expect.stringMatching(`Port ${port} on .* is in use.*--grpc-port`)])

  const client = otlpClient(Number(port))
  const spans = Array.from({ length: 50 }, (_, i) => makeSpan(i))
  const sent = spans.map((span) => client.export(encodeRequest(makeRequest([span]))))
  await Promise.race(sent)
  expect(await second.end('SIGTERM')).toEqual([0, null])
  const outcomes = await Promise.all(sent)
  const acknowledged = spans.filter((_, i) => outcomes[i]?.code === 0).map(({ spanId }) => spanId)
  expect(acknowledged.length).toBeGreaterThan(0)
  client.close()
  const third = await startServe(['--data', data])
  const stored = await execute(third.clickhouse.url, 'SELECT SpanId FROM otel.otel_traces')
  expect(stored.split('\n')).toEqual(expect.arrayContaining(acknowledged))
  await third.end('SIGTERM')
})

test('serves Jaeger if enabled, also over a read-only ClickHouse', async () => {
  const store = await startServe(['--data', temporaryDirectory()])
  expect(store.line.jaegerEndpoint).toBeNull()
  await runCli(['import', sample.pathname, '--endpoint', store.line.url])
  const reading = await startServe(['--clickhouse', store.clickhouse.readerUrl, '--jaeger-port', '0'])
  expect(reading.line.jaegerEndpoint).toMatch(/^127\.0\.0\.1:\d+$/)
  const client = jaegerClient(reading.line.jaegerEndpoint ?? '')
  const { code, messages } = await client.unary('TraceReader/GetServices')
  expect([code, Buffer.from(messages[0] ?? []).toString()]).toEqual([0, expect.stringContaining('planspan-import')])
  const port = reading.line.jaegerEndpoint?.split(':')[1] ?? ''
  const taken = await runCli(['serve', '--clickhouse', store.clickhouse.url, '--port', '0', '--jaeger-port', port])
  expect(taken.code).toBe(3)
  expect(taken.err).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use.*--jaeger-port`))
  client.close()
  expect(await reading.end('SIGTERM')).toEqual([0, null])
  await store.end('SIGTERM')
})

test('without gRPC installed, serve --jaeger-port names the package to install', async () => {
  const hooks = `export const resolve = (name, context, next) => {
    if (name === '@grpc/grpc-js') throw new Error('not found')
    return next(name, context)
  }`
  const hide = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`
  const environment = { NODE_OPTIONS: `--import ${dataUrl(hide)}` }
  // OTLP over gRPC works without that package.
  const ports = ['--port', '0', '--grpc-port', '0', '--jaeger-port', '0']
  const args = ['serve', '--data', temporaryDirectory(), ...ports]
  const { err, out } = await runCli(args, { environment })
  expect([err, out]).toEqual([expect.stringContaining('npm install @grpc/grpc-js'), ''])
})

const dataUrl = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`

test.each([
  [['--grpc-port', '4317/tcp'], 2, /--grpc-port takes a whole number from 0 to 65535, not "4317\/tcp"/],
  [['--jaeger-port', 'grpc'], 2, /--jaeger-port takes a whole number from 0 to 65535, not "grpc"/],
  [['--port', 'http'], 2, /--port takes a whole number from 0 to 65535, not "http"/],
  [['--retention', '0'], 2, /--retention takes a whole number from 1/],
  [['--cold-after', 'soon'], 2, /--cold-after takes a whole number from 1 on, not "soon"/],
  [['--cold-after', '30', '--retention', '30'], 2, /dropped after 30 days and move after 30 days/],
  [['--cold-data', ''], 2, /--cold-data takes a directory/],
  [['--fsync', '--clickhouse', 'http://127.0.0.1:1'], 2, /--fsync is for the embedded ClickHouse.*fsync_after_insert/],
  [['--clickhouse', 'localhost'], 2, /is not a ClickHouse URL/],
  [['--clickhouse', 'http://me:secret@127.0.0.1:1'], 3, /ClickHouse at http:\/\/me@127\.0\.0\.1:1 does not answer/],
  [['--database', 'a-b', '--clickhouse', 'http://127.0.0.1:1'], 2, /"a-b" is not a valid database name/],
])('serve %j exits with %i', async (args, expected, message) => {
  const { code, err, out } = await runCli(['serve', '--port', '0', ...args])
  expect(err).toMatch(message)
  expect(code).toBe(expected)
  expect(out).toBe('')
})
