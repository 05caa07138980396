import { Hono } from 'hono'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
import { eventsRoute } from '../../../src/server/live/events-route.js'
import { PlanFeeds } from '../../../src/server/live/plan-feeds.js'
import { lynxeRoute } from '../../../src/server/records/lynxe-route.js'
import { Rebuilder } from '../../../src/server/rebuild/rebuilder.js'
import { WorkerPool } from '../../../src/server/rebuild/worker-pool.js'
import { recordsRoute } from '../../../src/server/records/records-route.js'
import { streamBytes } from '../../../src/store/client/query.js'
import type { ImportReport } from '../../../src/wire/index.js'
import { EventSourceReader } from '../../support/event-source.js'
import { wholeLife } from '../../support/plan-life.js'
import { startTestApp, type TestApp } from '../test-app.js'

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url))

let server: TestApp
/** The same routes, with workers that rebuild every record, however small. */
let byWorkers: Hono
const pool = new WorkerPool()

beforeAll(async () => {
  server = await startTestApp()
  const { reader } = server.store
  const records = { reader, rebuilder: new Rebuilder(reader, pool, 0) }
  byWorkers = new Hono()
  byWorkers.route('/', recordsRoute(records))
  byWorkers.route('/', eventsRoute({ records, feeds: new PlanFeeds(records) }))
  byWorkers.route('/', lynxeRoute(records))
})
afterAll(async () => {
  pool.close()
  await server.close()
})

/** Only answers in memory are compressed for clients that accept it, which `vary` says. */
const OF_ROUTES: ReadonlySet<string> = new Set(['x-content-type-options', 'vary'])

async function answerOf(app: Hono, path: string) {
  const response = await app.request(path)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OF_ROUTES.has(name)))
  return { status: response.status, headers, body: await response.text() }
}

/** The seed's plan, with an agent whose cycles contain long texts. */
function largeRecord(planId: string): string {
  const record = JSON.parse(fixture('seeds/plan-execution-record.json').toString())
  const [agent] = record.agentExecutionSequence
  const [cycle] = agent.thinkActSteps
  const text = 'plan 计划 "план" \n'.repeat(2_000)
  agent.thinkActSteps = Array.from({ length: 20 }, (_, id) => ({ ...cycle, id: id + 1, thinkOutput: text }))
  return JSON.stringify({ ...record, planId })
}

describe('a large record', () => {
  test('is stored and returned byte for byte', async () => {
    const record = largeRecord('large')
    const response = await server.app.request('/api/records', { method: 'POST', body: record })
    expect(response.status).toBe(200)
    expect((await response.json()) as ImportReport).toMatchObject({ records: [{ planId: 'large' }], refusedCount: 0 })
    const answer = await answerOf(server.app, '/api/records/large')
    expect(answer).toMatchObject({ status: 200, headers: { 'planspan-verdict': 'complete' } })
    expect(answer.body === record).toBe(true)
  })

  test('is imported with the other records of its file, one per line, among them malformed records', async () => {
    const lines = [
      largeRecord('first'),
      'nonsense',
      ...Array.from({ length: 300 }, (_, i) => `{"planId":"small-${i}","title":"t"}`),
    ]
    const url = '/api/records?keepGoing=true&format=plan-execution'
    const response = await server.app.request(url, { method: 'POST', body: lines.join('\n') })
    const { records, refused } = (await response.json()) as ImportReport
    expect(records.map(({ planId }) => planId).slice(0, 3)).toEqual(['first', 'small-0', 'small-1'])
    expect(records).toHaveLength(301)
    expect(refused).toMatchObject([{ line: 2, code: 'invalid_record' }])
  })
})

describe('through a worker', () => {
  beforeAll(async () => {
    for (const path of [
      'seeds/execution-details.json',
      'seeds/agent-execution.json',
      'seeds/execution-trajectory.json',
    ]) {
      await server.importRecords(fixture(path))
    }
    await server.importRecords(fixture('plan-act/default-mock/chat.sse'))
    await server.send(wholeLife({ planId: 'live', traceId: 'e'.repeat(32) }).rows)
  })

  const plans = async (): Promise<string[]> => {
    const { records } = JSON.parse((await answerOf(server.app, '/api/records?limit=1000')).body)
    return records.map(({ planId }: { planId: string }) => planId).filter((id: string) => !id.startsWith('small-'))
  }

  test.each([
    '/api/records/ID',
    '/api/records/ID/spans',
    '/api/records/ID?format=plan-execution',
    '/api/records/ID?format=trajectory',
    '/api/executor/details/ID',
  ])('%s returns the same', async (path) => {
    const ids = await plans()
    expect(ids.length).toBeGreaterThan(4)
    for (const id of ids) {
      const url = path.replace('ID', encodeURIComponent(id))
      expect(await answerOf(byWorkers, url)).toEqual(await answerOf(server.app, url))
    }
  })

  test('the events of a plan are the same', async () => {
    for (const id of await plans()) {
      const url = `/api/records/${encodeURIComponent(id)}/events`
      expect((await answerOf(byWorkers, url)).body).toBe((await answerOf(server.app, url)).body)
    }
  })

  test('the events of a large running plan arrive as its spans do', async () => {
    const { rows } = wholeLife({ planId: 'large-live', traceId: 'f'.repeat(32) })
    const text = 'x'.repeat(300_000)
    const large = rows.map((row) => ({ ...row, attributes: { ...row.attributes, [ATTR.planTitle]: text } }))
    await server.send(large.slice(0, 6))
    const { body } = await server.app.request('/api/records/large-live/events')
    const watcher = new EventSourceReader(body!)
    const end = watcher.toEnd()
    for (const row of large.slice(6)) await server.send([row])
    await end
    expect(watcher.types.at(-1)).toBe('done')
  })
})

test('a query that fails midway fails with ClickHouse’s message', async () => {
  const { client, database } = server.store
  const query = "SELECT throwIf(number = 900000, 'on purpose') FROM numbers(1000000) SETTINGS max_block_size = 1000"
  const read = async () => {
    let bytes = 0
    for await (const piece of streamBytes({ client, database, url: 'http://localhost' }, query)) bytes += piece.length
    return bytes
  }
  await expect(read()).rejects.toMatchObject({
    code: 'clickhouse_failed',
    message: expect.stringContaining('on purpose'),
  })
})
