import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { execute } from '../support/clickhouse.js'
import { runCli, startServe, type Serving } from './run-cli.js'

let directory: string
let serving: Serving

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const generate = (...args: string[]) => runCli(['generate', ...args, '--endpoint', serving.line.url])
const query = async (sql: string) => {
  // A list waits until all acknowledged spans are indexed.
  await fetch(`${serving.line.url}/api/records?limit=1`)
  return (await execute(serving.clickhouse.url, sql)).trim()
}

describe('planspan generate', () => {
  const once = ['--plans', '120', '--days', '3', '--seed', 'abc', '--until', '2026-03-04T12:00:00Z']

  test('stores the announced plans, and the same plans when it is run again', async () => {
    const { code, out, err } = await generate(...once)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, spans] = /^120 plans, (\d+) spans, up to 2026-03-04T12:00:00.000Z, seed abc\n$/.exec(out) ?? []
    expect(await query('SELECT count() FROM otel.otel_traces')).toBe(spans)
    expect(await query('SELECT count() FROM otel.plans WHERE IsRoot')).toBe('120')
    expect((await generate(...once)).out).toBe(out)
    expect(await query('SELECT uniqExact(TraceId, SpanId) FROM otel.otel_traces')).toBe(spans)
    expect(await query('SELECT count() FROM otel.plans WHERE IsRoot')).toBe('120')
  })

  test('fills every view, with the names of several services', async () => {
    const views =
      'spans plan_usage plannings agents steps think_acts tool_calls model_calls risks research_calls reviews waits'.split(
        ' ',
      )
    const counts = await Promise.all(views.map((view) => query(`SELECT count() FROM otel.${view}`)))
    expect(views.filter((_, index) => counts[index] === '0')).toEqual([])
    expect(Number(await query('SELECT uniq(ServiceName) FROM otel.spans'))).toBeGreaterThan(3)
  })

  test.each([
    [['--plans', '0'], '--plans takes a whole number from 1'],
    [['--plans', '1', '--until', 'soon'], '"soon" is not a time'],
    [[], 'Missing required argument: --plans'],
  ])('rejects %j', async (args, message) => {
    const { code, err } = await generate(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
