import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { foreignRows, otlpText } from '../support/foreign-traces.js'
import type { PlanJson } from '../../src/wire/index.js'
import { MAIN, runCli, startServe, type Serving } from './run-cli.js'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/lynxe/${name}`, import.meta.url))
const waiting = fixture('details-waiting-input.json')
const agent = fixture('agent-execution-detail.json')
const all = [waiting, agent, fixture('doc-example-2025-03-28.json'), fixture('legacy-details-running.json')]
const WAITING_ID = 'plan-1767061562002'

let directory: string
let serving: Serving
let url: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
  url = serving.line.url
  await runCli(['import', ...all, '--endpoint', url])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const at = (...args: string[]) => runCli([...args, '--endpoint', url])
const file = (name: string, content: string | Uint8Array) => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

describe('planspan import', () => {
  test('prints a line per file with its records, spans and plans', async () => {
    const { code, out, err } = await at('import', waiting, agent)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')).toEqual([
      `${waiting}: 1 record, 4 spans: ${WAITING_ID}`,
      `${agent}: 1 record, 6 spans: step-353d351a-ce60-4142-8ce2-79beba213208`,
      '',
    ])
  })

  test('reads standard input', async () => {
    const { code, out } = await runCli(['import', '-', '--source', 'pipe', '--endpoint', url], {
      input: readFileSync(waiting),
    })
    expect({ code, out }).toEqual({ code: 0, out: `standard input: 1 record, 4 spans: ${WAITING_ID}\n` })
    expect((await at('show', WAITING_ID, '--source', 'pipe')).stdout).toEqual(readFileSync(waiting))
  })

  const mixed = () =>
    file('mixed.jsonl', `${readFileSync(waiting).toString()}\n{"broken":\n${readFileSync(agent).toString()}\n{"a":1}\n`)

  test('imports nothing of a file with a malformed record, and reports where that record begins', async () => {
    const { code, out, err } = await at('import', mixed(), agent, '--source', 'refused')
    expect(code).toBe(2)
    expect(err).toMatch(/mixed\.jsonl: bad record from line 2 on: Not JSON.*\n.*mixed\.jsonl: nothing was imported/)
    expect(out).toBe('')
    expect((await at('list', '--source', 'refused')).out).toBe('')
  })

  test('imports the valid records of a file with a malformed record with --keep-going', async () => {
    const { code, out, err } = await at('import', mixed(), agent, '--keep-going')
    expect(code).toBe(2)
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/bad record from line 2 on: Not JSON/),
      expect.stringMatching(/bad record from line 4 on: No known record format/),
    ])
    expect(out).toMatch(
      /mixed\.jsonl: 2 records, 10 spans, 2 records refused: plan-.*\n.*agent-execution-detail\.json: 1 record, 6 spans: /,
    )
  })

  test('stops at an unreadable file, lists the remaining files, and continues with --keep-going', async () => {
    const files = [join(directory, 'none.json'), directory, agent]
    const stopped = await at('import', ...files)
    expect([stopped.code, stopped.out]).toEqual([2, ''])
    expect(stopped.err).toMatch(/none\.json cannot be read: there is no such file.*\n.*2 more files are not imported/)
    const goesOn = await at('import', ...files, '--keep-going')
    expect([goesOn.code, goesOn.out]).toEqual([2, expect.stringContaining(`${agent}: 1 record, 6 spans`)])
    expect(goesOn.err).toMatch(/none\.json cannot be read.*\n.*cannot be read: it is a directory/)
  })

  test('reads the endpoint from the environment', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` }
    expect((await runCli(['import', waiting], { environment })).code).toBe(0)
  })

  test('masks secrets on request, as the record’s verdict shows', async () => {
    const secret = readFileSync(waiting)
      .toString()
      .replace('Please fill', 'Bearer abcdefghijklmnopqrstuvwxyz0123456789')
    await at('import', file('secret.json', secret), '--source', 'masked', '--redact')
    const shown = await at('show', WAITING_ID, '--source', 'masked')
    expect(shown.out).not.toContain('abcdefghijklmnopqrstuvwxyz')
    const { code, out } = await at('show', WAITING_ID, '--source', 'masked', '--verdict')
    expect(code).toBe(1)
    expect(out).toMatch(/^redacted {2}waiting/)
  })
})

describe('planspan list', () => {
  test('prints one line per plan for grep, the newest first, without colors', async () => {
    const { code, out } = await at('list', '--source', '')
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.find((line) => line.startsWith(WAITING_ID))).toMatch(
      /^plan-1767061562002 +waiting +plan-execution +- +2025-12-30 10:26:02 +30 ms +4 +0 +Form +asks for input/,
    )
    expect(out).not.toContain('\u001B')
  })

  test('prints a line of JSON per plan', async () => {
    const { out } = await at('list', '--json', '--state', 'waiting', '--source', '')
    expect(JSON.parse(out) as PlanJson).toMatchObject({ planId: WAITING_ID, spans: 4, title: 'Form' })
  })

  test('reports that there are more plans than the limit', async () => {
    const { out, err } = await at('list', '--limit', '2')
    expect(out.trimEnd().split('\n')).toHaveLength(2)
    expect(err).toMatch(/more than 2.*--limit/)
  })

  test('exits with 1 when there are no plans', async () => {
    const { code, out, err } = await at('list', '--state', 'cancelled')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/No plan at .* matches/)
  })
})

describe('planspan show', () => {
  test.each([
    [WAITING_ID, waiting],
    ['step-353d351a-ce60-4142-8ce2-79beba213208', agent],
  ])('prints the exact bytes of %s into a pipe', async (id, path) => {
    const { code, stdout } = await at('show', id, '--source', '')
    expect(code).toBe(0)
    expect(stdout).toEqual(readFileSync(path))
  })

  test('prints the verdict', async () => {
    const { code, out } = await at('show', WAITING_ID, '--verdict', '--source', '')
    expect(code).toBe(0)
    expect(out).toMatch(/^complete {2}waiting {2}plan-execution, trace [0-9a-f]{32}\n$/)
  })

  test.each([
    ['.', '.'],
    ['..', '..'],
    ['../readyz', '../readyz'],
    ['of 20,000 characters', '漢/'.repeat(10_000)],
  ])('prints the record of the plan %s, and verifies it', async (name, id) => {
    const record = readFileSync(waiting, 'utf8').replaceAll(JSON.stringify(WAITING_ID), JSON.stringify(id))
    const path = file(`odd-${name.length}.json`, record)
    expect((await at('import', path)).code).toBe(0)
    expect((await at('show', id)).out).toBe(record)
    expect((await at('show', id, '--follow')).out).toContain('plan')
    expect((await at('verify', path)).out).toContain('identical')
  })

  test('prints the verdict as JSON', async () => {
    const { code, out } = await at('show', WAITING_ID, '--verdict', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ verdict: 'complete', state: 'waiting', missingCount: 0, missing: [] })
  })

  test('exits with 1 for an unknown plan and says what to do', async () => {
    const { code, out, err } = await at('show', 'nope')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/"nope".*planspan list/)
  })
})

describe('planspan verify', () => {
  test('verifies the samples in a separate store, whatever the environment contains', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', TMPDIR: directory }
    const { code, out, err } = await runCli(['verify', ...all], { environment })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.trimEnd().split('\n')).toEqual(
      all.map((path) => expect.stringMatching(new RegExp(`^${path}: identical \\(1 record, [456] spans\\)$`))),
    )
  })

  test('compares whole files of many records', async () => {
    const compact = readFileSync(waiting).toString()
    const lines = [1, 2, 3, 4, 5, 6].map((n) => compact.replace('"title":"Form"', `"title":"Form ${n}"`))
    const { code, out } = await at('verify', file('many.jsonl', `${lines.join('\n')}\r\n\n`))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/identical \(6 records, 24 spans\)\n$/) })
  })

  test('reports differences by their JSON path', async () => {
    const proxy = await startAlteringProxy(url, (text) => text.replace('"name":"email"', '"name":"e-mail"'))
    try {
      const { code, out } = await runCli(['verify', waiting, '--endpoint', proxyUrl(proxy)])
      expect(code).toBe(1)
      expect(out).toContain(`${waiting}: different (1 record, 4 spans)`)
      expect(out).toContain('$.userInputWaitState.formInputs[0].name: "email" came back as "e-mail"')
      expect(out).toContain('the file: 1498 bytes went in, 1499 came back')
    } finally {
      proxy.close()
    }
  })

  test('exits with 2 for invalid input and continues with the other files', async () => {
    const bad = file('bad.json', '{"a":1}')
    const { code, out, err } = await at('verify', bad, join(directory, 'none.json'), waiting)
    expect(code).toBe(2)
    expect(err).toMatch(/bad\.json: not verified: bad record from line 1 on: No known.*\n.*none\.json cannot be read/)
    expect(out).toContain(`${waiting}: identical`)
  })

  test('names a file that could not be sent or read back, and continues with the others', async () => {
    const proxy = await startAlteringProxy(url, (text) => {
      if (text.includes('agentExecutionSequence')) return text
      throw new Error('The connection breaks.')
    })
    try {
      const { code, out, err } = await runCli(['verify', agent, waiting, '--endpoint', proxyUrl(proxy)])
      expect(code).toBe(3)
      expect(err).toMatch(new RegExp(`^${agent}: not verified: No planspan server responds at .*\\n$`))
      expect(out).toContain(`${waiting}: identical`)
    } finally {
      proxy.close()
    }
  })

  test('rejects an unknown time zone before anything is sent', async () => {
    const { code, out, err } = await runCli(['verify', waiting, agent, '--time-zone', 'Mars/Olympus'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^Error: Unknown time zone "Mars\/Olympus".*\n$/)
  })

  test('exits immediately on a signal, and leaves nothing behind', async () => {
    const temporary = join(directory, 'temporary')
    mkdirSync(temporary)
    const records = file('large.jsonl', `${readFileSync(waiting).toString()}\n`.repeat(20_000))
    const child = spawn(process.execPath, [MAIN, 'verify', records], { env: { ...process.env, TMPDIR: temporary } })
    await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), { timeout: 20_000, interval: 20 })
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(20_000) })
    child.kill('SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('planspan doctor --trace', () => {
  test('explains how each span of a trace is read', async () => {
    const [row] = foreignRows('vercel-ai/ai-sdk-v7-legacy.otlp.json')
    await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: otlpText('vercel-ai/ai-sdk-v7-legacy.otlp.json'),
    })
    const { code, out } = await at('doctor', '--trace', row?.traceId ?? '')
    expect(code).toBe(0)
    expect(out).toContain('  agent  ai.generateText')
    expect(out).toContain('vercel_ai: ai.operationId = ai.toolCall')
    expect(out).toContain('gen_ai.tool.name from ai.toolCall.name')
    expect(out).toContain('11 spans: 11 parts of a plan, 0 not understood, 0 attributes that may be misspelt.')
    const asJson = await at('doctor', '--trace', row?.traceId ?? '', '--json')
    expect(JSON.parse(asJson.out)).toMatchObject({ spans: expect.any(Array) })
  })

  test('reports that a trace is not stored', async () => {
    expect(await at('doctor', '--trace', '9'.repeat(32))).toMatchObject({
      code: 1,
      err: `Error: No trace ${'9'.repeat(32)} is stored.\n`,
    })
  })
})

describe('planspan doctor', () => {
  test('checks the machine, the server and its store', async () => {
    const { code, out } = await at('doctor')
    expect(code).toBe(0)
    expect(out).toMatch(/^ok {4}planspan \d/)
    expect(out).toMatch(/ok {4}Its store is ClickHouse \d+\.\d+.*database otel/)
    expect(out).not.toMatch(/^fail/m)
  })

  test('exits with 3 when no server answers', async () => {
    const { code, out } = await runCli(['doctor', '--endpoint', 'http://127.0.0.1:2'])
    expect(code).toBe(3)
    expect(out).toMatch(/^fail {2}No planspan server responds at http:\/\/127\.0\.0\.1:2.*planspan serve/m)
  })

  test('exits with 3 when the server has lost its store', async () => {
    const lost = await startServe(['--clickhouse', serving.clickhouse.url, '--database', 'lost'])
    const { username, password, origin } = new URL(serving.clickhouse.url)
    const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
    await fetch(origin, { method: 'POST', body: 'DROP DATABASE lost SYNC', headers })
    const { code, out } = await runCli(['doctor', '--endpoint', lost.line.url])
    await lost.end('SIGTERM')
    expect(out).toMatch(/^fail {2}Its store is not ready .*lost/m)
    expect(code).toBe(3)
  })

  test('exits with 3 when another program answers', async () => {
    const { code, out } = await runCli(['doctor', '--endpoint', serving.clickhouse.url.replace(/\/\/.*@/, '//')])
    expect(code).toBe(3)
    expect(out).toMatch(/is not a planspan server/)
  })
})

const proxyUrl = (proxy: Server) => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

/** A proxy that changes the records in a server's responses. */
async function startAlteringProxy(target: string, alter: (text: string) => string): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
    const isPost = request.method === 'POST'
    const answer = await fetch(`${target}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      ...(isPost
        ? { body: Buffer.concat(chunks), headers: { 'content-type': type, 'content-encoding': encoding } }
        : {}),
    })
    const { 'content-length': _length, ...headers } = Object.fromEntries(answer.headers)
    const text = await answer.text()
    try {
      response.writeHead(answer.status, headers).end(isPost ? text : alter(text))
    } catch {
      response.destroy()
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}
