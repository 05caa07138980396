import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { playDistributedPlan } from '../support/distributed-plan.js'
import { liveCheck } from './live-check.js'
import { type SpanReceiver, startSpanReceiver } from './span-receiver.js'

let receiver: SpanReceiver
beforeAll(async () => {
  receiver = await startSpanReceiver()
})
afterAll(() => receiver.close())

/** Examples that run in other ways. The server sends no spans. */
const APART = new Set(['own-server.mjs', 'distributed-plan.mjs', 'distributed-worker.mjs'])
const LONG_PLAN = 'long-plan.mjs'
const RESUME = 'long-plan-resume.mjs'

const EXAMPLES = readdirSync('examples').filter((file) => file.endsWith('.mjs') && !APART.has(file))

function start(file: string, ...args: string[]): ChildProcess {
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const child = spawn(process.execPath, [join('examples', file), ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end('y\n')
  return child
}

test.each(EXAMPLES.filter((file) => file !== LONG_PLAN && file !== RESUME))(
  'the spans of examples/%s follow the released conventions',
  async (file) => {
    expect(await once(start(file), 'exit')).toEqual([0, null])
    const spans = receiver.take()
    expect(spans.length).toBeGreaterThan(1)
    expect(spans.flatMap(liveCheck)).toEqual([])
  },
)

test('the spans of a plan over two processes follow the released conventions', async () => {
  await playDistributedPlan([process.execPath, 'examples/distributed-worker.mjs'], receiver.url)
  const findings = receiver.take().flatMap(liveCheck)
  // The example has a step of the AI SDK, which names its attributes differently.
  expect(findings.filter((finding) => !finding.includes(' ai.'))).toEqual([])
})

test('the spans of a plan that is killed and resumed follow the released conventions', async () => {
  const planId = 'plan-conventions'
  onTestFinished(() => rmSync(join(tmpdir(), `${planId}.token`), { force: true }))
  const child = start(LONG_PLAN, planId)
  await expect.poll(() => receiver.spans.map(({ name }) => name), { timeout: 20_000 }).toContain('execute_tool book')
  child.kill('SIGKILL')
  expect(await once(start(RESUME, planId), 'exit')).toEqual([0, null])
  const spans = receiver.take()
  expect(spans.map(({ name }) => name)).toContain('wait_for_user')
  expect(spans.flatMap(liveCheck)).toEqual([])
})
