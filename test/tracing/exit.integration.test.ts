import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { RegisterOptions } from '../../src/tracing/index.js'
import { compileSource, type CompiledSource } from '../clickhouse/compiled.js'
import { type Answer, startReceiver } from './otlp-receiver.js'

let source: CompiledSource
let receiver: Awaited<ReturnType<typeof startReceiver>>
let answered: (() => Answer | void) | undefined

beforeAll(() => {
  source = compileSource()
})
afterAll(() => source.remove())
beforeEach(async () => {
  answered = undefined
  receiver = await startReceiver(() => answered?.() ?? {})
})
afterEach(() => receiver.close())

const STAY = `setInterval(() => {}, 60_000)`
const READY = `console.log('ready')`

/** A Node process that has run one plan, and then runs the given lines. */
async function agent(
  after: string,
  { endpoint = receiver.endpoint, scheduledDelayMillis = 60_000, snapshots }: RegisterOptions = {},
) {
  const options = JSON.stringify({ endpoint, scheduledDelayMillis, snapshots, exitFlushMillis: 300 })
  const tracing = new URL('../tracing/index.js', source.clickhouse).href
  const script = `
    import { flush, plan, register, startPlan } from '${tracing}'
    const tracing = await register(${options})
    plan({ workflow: 'w' }, () => undefined)
    ${after}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // An export may take as long as a test.
    env: { ...process.env, OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  const closed = once(child, 'close')
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  onTestFinished(() => void child.kill('SIGKILL'))
  if (after.includes(READY)) await Promise.race([once(child.stdout, 'data'), ended])
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    release: () => child.stdin.end('go'),
    ended,
    said: async () => closed.then(() => said),
  }
}

test('a completed program leaves no span behind', async () => {
  const { ended } = await agent('')
  expect(await ended).toEqual([0, null])
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the program as usual, after a flush', async (signal) => {
  const { kill, ended } = await agent(`${STAY}; ${READY}`)
  kill(signal)
  expect(await ended).toEqual([null, signal])
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
})

test('a plan that a signal cuts short is interrupted, with all open spans below it', async () => {
  const open = `const p = startPlan({ workflow: 'long' })
    const c = p.startAgent({ name: 'a' }).startCycle()
    c.startTool({ name: 't' })
    c.startWait({})`
  const { kill, ended } = await agent(`${open}; ${STAY}; ${READY}`, { snapshots: false })
  kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
  const cut = ['wait_for_user', 'execute_tool t', 'agent_step a', 'invoke_agent a', 'invoke_workflow long']
  expect(receiver.spanNames()).toEqual(['invoke_workflow w', ...cut])
  expect(receiver.requests[0]?.body.match(/"stringValue":"interrupted"/g)).toHaveLength(cut.length)
})

test('kill -9 leaves open spans in their last sent state, including spans that have just started', async () => {
  const open = `const p = startPlan({ workflow: 'long' })
    p.startAgent({ name: 'a' }).startCycle().startTool({ name: 't' })`
  const arrived = new Promise<void>((resolve) => {
    answered = () => void (receiver.spanNames().includes('execute_tool t') && resolve())
  })
  const { kill, ended } = await agent(`${open}; ${STAY}`, { scheduledDelayMillis: 250 })
  await arrived
  kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  const shown = ['invoke_workflow long', 'invoke_agent a', 'agent_step a', 'execute_tool t']
  expect(receiver.spanNames()).toEqual(['invoke_workflow w', ...shown])
  expect(
    receiver.requests
      .map(({ body }) => body)
      .join('')
      .match(/"stringValue":"pending"/g),
  ).toHaveLength(4)
})

test('a program that exits without ending its plan leaves it running', async () => {
  const { ended } = await agent(`startPlan({ workflow: 'long' }).startAgent({ name: 'a' })`)
  expect(await ended).toEqual([0, null])
  expect(receiver.spanNames()).toEqual(['invoke_workflow w', 'invoke_workflow long', 'invoke_agent a'])
})

test('a program that handles SIGTERM itself decides when it exits', async () => {
  const flushed = new Promise<void>((resolve) => {
    answered = resolve
  })
  const onInput = `process.on('SIGTERM', () => process.stdin.once('data', () => process.exit(7)))`
  const { kill, release, ended } = await agent(`${STAY}; ${onInput}; ${READY}`)
  kill('SIGTERM')
  await flushed
  release()
  expect(await ended).toEqual([7, null])
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
})

test('a missing receiver does not delay the exit', async () => {
  const gone = await startReceiver()
  await gone.close()
  const { kill, ended } = await agent(`${STAY}; ${READY}`, { endpoint: gone.endpoint })
  kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
})

test('process.exit() reports lost spans', async () => {
  const { ended, said } = await agent(`startPlan({ workflow: 'long' }).startAgent({}).end(); process.exit(3)`)
  expect(await ended).toEqual([3, null])
  expect(receiver.requests).toEqual([])
  expect(await said()).toMatch(/^planspan: the process ends before \d spans could be sent\. .*`await flush\(\)`/)
})

test('flush() before process.exit() sends everything', async () => {
  const { ended, said } = await agent('await flush(); process.exit(3)')
  expect(await ended).toEqual([3, null])
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
  expect(await said()).toBe('')
})

test('shutdown() gives up on a receiver that does not respond, and reports lost spans', async () => {
  answered = () => ({ isSilent: true })
  const { ended, said } = await agent('await tracing.shutdown(); process.exit(3)')
  expect(await ended).toEqual([3, null])
  expect(await said()).toMatch(/^planspan: the process ends before one span could be sent\./)
})
