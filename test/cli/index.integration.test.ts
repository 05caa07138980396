import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { readIndexState } from '../../src/store/upkeep/index.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { agentAttributes, insertSpans, NOON, planAttributes, type TestSpan } from '../store/spans.js'
import { cleanEnvironment, MAIN, runCli } from './run-cli.js'

let opened: FreshStore

beforeEach(async () => {
  opened = await freshStore()
})

afterEach(() => opened.close())

const traceOf = (n: number): string => n.toString(16).padStart(32, '0')

/** Stores plans as a collector does: a plan starts as many hours after the test's noon as its number. */
const collect = (plans: readonly number[]): Promise<void> =>
  insertSpans(
    opened.store.client,
    opened.fresh.database,
    plans.flatMap((n): TestSpan[] => {
      const at = { traceId: traceOf(n), start: n * 3_600_000 }
      return [
        {
          ...at,
          spanId: '1'.repeat(16),
          attributes: planAttributes({ planId: `plan-${String(n)}`, state: 'completed' }),
        },
        {
          ...at,
          spanId: '2'.repeat(16),
          parentSpanId: '1'.repeat(16),
          attributes: agentAttributes(`plan-${String(n)}`),
        },
      ]
    }),
  )

const where = () => ['--clickhouse', opened.fresh.url, '--database', opened.fresh.database]
const index = (...more: string[]) => runCli(['index', '--json', ...where(), ...more])

async function plans(): Promise<string[]> {
  const query = `SELECT PlanId FROM ${opened.fresh.database}.plan_rows FINAL ORDER BY PlanId`
  const rows = await (await opened.store.client.query({ query, format: 'JSONEachRow' })).json<{ PlanId: string }>()
  return rows.map(({ PlanId }) => PlanId)
}

const state = () =>
  readIndexState({ client: opened.store.client, url: opened.fresh.url, database: opened.fresh.database })

test('index catches up with the spans that a collector has stored, and exits', async () => {
  await collect([1, 2])
  expect(await state()).toMatchObject({ pendingRows: 4, failedTraces: 0, failures: [] })
  const { code, out } = await index()
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, spanRows: 4, failedTraces: 0 })
  expect(await plans()).toEqual(['plan-1', 'plan-2'])
  expect(await state()).toMatchObject({ pendingRows: 0, lagSeconds: 0 })
  const again = await runCli(['index', ...where()])
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toBe(`Indexed 0 rows of ${opened.fresh.database}.otel_traces; wrote 0 rows.\n`)
})

test('index --since indexes the later traces again', async () => {
  await collect([1, 2, 3])
  await index()
  await opened.store.client.command({ query: `TRUNCATE TABLE ${opened.fresh.database}.plan_rows` })
  const { code, out } = await index('--since', new Date(NOON + 2 * 3_600_000).toISOString())
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, spanRows: 0, reindexedTraces: 2 })
  expect(await plans()).toEqual(['plan-2', 'plan-3'])
})

test('index --watch runs until a signal', async () => {
  await collect([1])
  const child = spawn(process.execPath, [MAIN, 'index', '--watch', ...where()], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    expect(await plans()).toEqual(['plan-1'])
    await collect([2])
    await expect.poll(plans, { timeout: 20_000 }).toEqual(['plan-1', 'plan-2'])
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

test('index reports what is wrong with its source', async () => {
  const missing = join(temporaryDirectory(), 'missing')
  expect(await runCli(['index', '--data', missing])).toMatchObject({ code: 1, err: expect.stringContaining(missing) })
  expect(existsSync(missing)).toBe(false)
  const unknown = await runCli(['index', '--clickhouse', opened.fresh.url, '--database', 'not_there'])
  expect(unknown).toMatchObject({ code: 3, err: expect.stringMatching(/not_there .*no tables of planspan/) })
  expect(await runCli(['index', '--watch'])).toMatchObject({ code: 2, err: expect.stringMatching(/--watch requires/) })
  expect(await runCli(['index', '--clickhouse', 'http://127.0.0.1:2'])).toMatchObject({ code: 3 })
})
