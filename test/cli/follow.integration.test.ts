import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { PlanLife, wholeLife } from '../support/plan-life.js'
import { MAIN, runCli, startServe, type Serving } from './run-cli.js'

let data: string
let serving: Serving
let send: ReturnType<typeof createSpanSender>['send']

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', data])
  ;({ send } = createSpanSender({ url: `${serving.line.url}/v1/traces` }))
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

const follow = (planId: string, ...more: string[]) => [
  'show',
  planId,
  '--follow',
  '--endpoint',
  serving.line.url,
  ...more,
]

/** The running command. */
function startFollowing(planId: string) {
  const child = spawn(process.execPath, [MAIN, ...follow(planId)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  return {
    child,
    lines,
    async untilLine(pattern: RegExp): Promise<void> {
      const signal = AbortSignal.timeout(20_000)
      while (!lines.some((line) => pattern.test(line))) await once(reader, 'line', { signal })
    },
    async exitCode(): Promise<number | null> {
      const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(20_000) })) as [number | null]
      return code
    },
  }
}

describe('planspan show --follow in a pipe', () => {
  test('exits when nobody reads on', async () => {
    const { rows } = wholeLife({ traceId: 'e'.repeat(32), planId: 'plan-e' })
    await send(rows.slice(0, 4))
    const following = startFollowing('plan-e')
    await following.untilLine(/title {2}A day in Rome/)
    const ended = once(following.child, 'exit', { signal: AbortSignal.timeout(20_000) })
    following.child.stdout.destroy()
    await send(rows.slice(4, 9))
    expect(await ended).toEqual([0, null])
  })

  test('prints a line per event as they arrive, and exits with the plan', async () => {
    const { rows } = wholeLife({ traceId: 'a'.repeat(32), planId: 'plan-a' })
    await send(rows.slice(0, 9))
    const following = startFollowing('plan-a')
    await following.untilLine(/tool {2}browse {2}calling {2}\{"page":1\}/)
    expect(following.lines[0]).toMatch(/^2026-03-04T12:00:00\.\d{3}Z {2}title {2}A day in Rome$/)
    const closed = following.exitCode()
    await send(rows.slice(9))
    expect(await closed).toBe(0)
    expect(following.lines.map((line) => line.split('  ').slice(1, 4).join(' '))).toEqual([
      'title A day in Rome',
      'plan Look (pending), Book (pending)',
      'step 1 running',
      'tool browse calling',
      'tool browse called',
      'step 1 completed',
      'step 2 running',
      'message assistant May I book?',
      'wait',
      'step 2 running',
      'tool browse calling',
      'tool browse called',
      'step 2 completed',
      'message assistant Booked.',
      'plan Look (completed), Book (completed)',
      'done',
    ])
  })

  test('exits with 1 when the plan failed or was interrupted', async () => {
    for (const [state, digit] of [
      ['failed', 'b'],
      ['interrupted', 'c'],
    ] as const) {
      const life = new PlanLife({ traceId: digit.repeat(32), planId: `plan-${state}` })
      life.start('plan', 'plan')
      life.end('plan', { [ATTR.state]: state, [ATTR.errorMessage]: 'No flights.' })
      await send(life.rows)
      const { code, out, err } = await runCli(follow(`plan-${state}`))
      expect({ code, err }).toEqual({ code: 1, err: `plan-${state} is ${state}.\n` })
      expect(out).toMatch(state === 'failed' ? /error {2}No flights\.$/m : /error {2}The plan was interrupted/)
    }
  })

  test('exits with 0 when the user interrupts it', async () => {
    const life = new PlanLife({ traceId: 'd'.repeat(32), planId: 'plan-d' })
    life.start('plan', 'plan', undefined, { [ATTR.planTitle]: 'Long' })
    await send(life.rows)
    const following = startFollowing('plan-d')
    await following.untilLine(/Long/)
    const closed = following.exitCode()
    following.child.kill('SIGINT')
    expect(await closed).toBe(0)
  })

  test('prints the same events as lines of JSON', async () => {
    const { rows } = wholeLife({ traceId: '1'.repeat(32), planId: 'plan-json' })
    await send(rows)
    const { code, out } = await runCli(follow('plan-json', '--json'))
    expect(code).toBe(0)
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; data: object })
    expect(events[0]).toMatchObject({ event: 'title', data: { title: 'A day in Rome' } })
    expect(events.at(-1)).toMatchObject({ event: 'done' })
  })

  test('of an imported record prints its events', async () => {
    const file = new URL('../fixtures/plan-act/no-steps/chat.sse', import.meta.url).pathname
    const imported = await runCli(['import', file, '--endpoint', serving.line.url])
    const { code, out } = await runCli(follow(/: (\S+)\n$/.exec(imported.out)![1]!))
    expect(code).toBe(0)
    expect(out.trim().split('\n').at(-1)).toMatch(/Z {2}done$/)
  })

  test('reports what is wrong', async () => {
    const missing = await runCli(follow('nothing'))
    expect({ code: missing.code, out: missing.out }).toEqual({ code: 1, out: '' })
    expect(missing.err).toMatch(/No plan and no step "nothing"/)
    const both = await runCli(follow('plan-a', '--verdict'))
    expect({ code: both.code, out: both.out }).toEqual({ code: 2, out: '' })
    const odd = await runCli(['show', 'plan-a', '--format', 'odd', '--endpoint', serving.line.url])
    expect(odd.code).toBe(2)
    expect(odd.err).toMatch(/"odd" is not one of plan-execution, .*plan-act:session/)
  })
})
