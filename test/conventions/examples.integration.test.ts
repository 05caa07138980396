import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { liveCheck, type OtlpRequest, type OtlpSpan, spansOf } from './live-check.js'

let receiver: Server
let spans: OtlpSpan[] = []
beforeAll(async () => {
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      spans.push(...spansOf(body as OtlpRequest))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
beforeEach(() => void (spans = []))
afterAll(() => void receiver.close())

/** A server; it sends no spans. */
const SENDS_NOTHING = 'own-server.mjs'
const LONG_PLAN = 'long-plan.mjs'
const RESUME = 'long-plan-resume.mjs'

const EXAMPLES = readdirSync('examples').filter((file) => file.endsWith('.mjs') && file !== SENDS_NOTHING)

function start(file: string, ...args: string[]): ChildProcess {
  const { port } = receiver.address() as AddressInfo
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const child = spawn(process.execPath, [join('examples', file), ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end('y\n')
  return child
}

test.each(EXAMPLES.filter((file) => file !== LONG_PLAN && file !== RESUME))(
  'the spans of examples/%s follow the released conventions',
  async (file) => {
    expect(await once(start(file), 'exit')).toEqual([0, null])
    expect(spans.length).toBeGreaterThan(1)
    expect(spans.flatMap(liveCheck)).toEqual([])
  },
)

test('the spans of a plan that is killed and resumed follow the released conventions', async () => {
  const planId = 'plan-conventions'
  onTestFinished(() => rmSync(join(tmpdir(), `${planId}.token`), { force: true }))
  const child = start(LONG_PLAN, planId)
  await expect.poll(() => spans.map(({ name }) => name), { timeout: 20_000 }).toContain('execute_tool book')
  child.kill('SIGKILL')
  expect(await once(start(RESUME, planId), 'exit')).toEqual([0, null])
  expect(spans.map(({ name }) => name)).toContain('wait_for_user')
  expect(spans.flatMap(liveCheck)).toEqual([])
})
