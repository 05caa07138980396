import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startServe, type Serving } from '../cli/run-cli.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'

const [command = '', ...options] = inject('examples').flatMap(([, { interpreter }]) => interpreter ?? [])
const root = fileURLToPath(new URL('../..', import.meta.url))
const STORY = 'test/languages/python/story.py'
const NOWHERE = 'http://127.0.0.1:9'

const run = (...args: readonly string[]) => {
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: NOWHERE }
  const { status, stdout, stderr } = spawnSync(command, [...options, ...args], { cwd: root, env, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

describe.skipIf(command === '')('the Python package', () => {
  let store: FreshDatabase
  let serving: Serving
  beforeAll(async () => {
    store = await freshDatabase()
    serving = await startServe(['--clickhouse', store.url, '--database', store.database])
  })
  afterAll(async () => {
    await serving.end('SIGTERM')
    await store.drop()
  })

  function start(...args: readonly string[]): ChildProcess {
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: serving.line.url }
    const child = spawn(command, [...options, ...args], {
      cwd: root,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  async function read(planId: string) {
    const response = await fetch(`${serving.line.url}/api/records/${planId}`)
    const { headers } = response
    const record: unknown = response.ok ? await response.json() : undefined
    return { verdict: headers.get('planspan-verdict'), state: headers.get('planspan-state'), record }
  }

  test('its own tests pass', () => {
    expect(run('-m', 'unittest', 'discover', 'packages/python/tests')).toMatchObject({ status: 0 })
  })

  test('its types are strict', () => {
    const types = run('-m', 'mypy', '--strict', '--cache-dir', '/dev/null', 'packages/python/planspan')
    expect(types.output).toMatch(/^Success/)
  })

  test('an agent of decorated functions becomes a complete record', async () => {
    const planId = `plan-${randomUUID()}`
    expect(await once(start(STORY, planId), 'exit')).toEqual([0, null])
    expect(await read(planId)).toMatchObject({
      verdict: 'complete',
      state: 'completed',
      record: {
        userRequest: 'How heavy is an elephant?',
        summary: '6 tonnes',
        planspan: { usage: { inputTokens: 120, outputTokens: 8 } },
        agentExecutionSequence: [
          {
            agentName: 'keeper',
            agentRequest: 'How heavy is an elephant?',
            result: '6 tonnes',
            thinkActSteps: [
              {
                thinkInput: 'How heavy is an elephant?',
                thinkOutput: 'It depends.',
                actToolInfoList: [{ name: 'weigh', parameters: '{"animal":"elephant"}', result: '{"tonnes":6}' }],
                planspan: { modelCalls: [{ model: 'small-model', inputTokens: 120, outputTokens: 8 }] },
              },
            ],
          },
        ],
      },
    })
  })

  test('the example of docs/instrument.md becomes a complete record', async () => {
    const [, program = ''] = /```python\n([^]*?)```/.exec(readFileSync('docs/instrument.md', 'utf8')) ?? []
    expect(await once(start('-c', program), 'exit')).toEqual([0, null])
    expect(await read('plan-oslo')).toMatchObject({
      verdict: 'complete',
      state: 'completed',
      record: {
        userRequest: 'A day in Oslo',
        structureResult: 'Three.',
        planspan: { usage: { inputTokens: 1200, outputTokens: 80 } },
        agentExecutionSequence: [{ agentName: 'researcher', thinkActSteps: [{ thinkOutput: 'Three.' }] }],
      },
    })
  })

  test('an error fails the plan and reaches the caller', async () => {
    const planId = `plan-${randomUUID()}`
    expect(await once(start(STORY, planId, 'fail'), 'exit')).toEqual([1, null])
    expect(await read(planId)).toMatchObject({
      verdict: 'complete',
      state: 'failed',
      record: { agentExecutionSequence: [{ errorMessage: 'There is no elephant.' }] },
    })
  })

  test('a forked worker is in the list while it runs, and none of its spans is lost', async () => {
    const planId = `plan-${randomUUID()}`
    const child = start('test/languages/python/forks.py', planId)
    const listed = async () => {
      const response = await fetch(`${serving.line.url}/api/records?state=running`)
      return (await response.json()) as object
    }
    await expect.poll(listed, { timeout: 30_000 }).toMatchObject({ records: [{ planId, name: 'worker' }] })
    child.stdin!.end()
    expect(await once(child, 'exit')).toEqual([0, null])
    const ended = { verdict: 'complete', state: 'completed' }
    expect(await read(planId)).toMatchObject({
      ...ended,
      record: { agentExecutionSequence: [{ agentName: 'worker' }] },
    })
    expect(JSON.stringify(await read(planId))).toContain('"result":"done"')
    expect(await read(`${planId}-main`)).toMatchObject(ended)
  })

  test('without a server, an agent runs as before and ends at once', () => {
    const began = performance.now()
    const { status, output } = run(STORY, 'plan-lost')
    expect(status).toBe(0)
    expect(output.match(/^planspan: .*$/gm)).toEqual([expect.stringContaining(`${NOWHERE}/v1/traces does not accept`)])
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
