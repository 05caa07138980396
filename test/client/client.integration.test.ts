import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { type Client, createClient, type ListChange, type PlanJson } from '../../src/client/index.js'
import { RECORD_HEADERS } from '../../src/semconv/index.js'
import { HEADERS } from '../../src/client/read-record.js'
import { createSelector, type Selector } from '../../src/store/index.js'
import { freshDatabase } from '../support/clickhouse.js'
import { wholeLife } from '../support/plan-life.js'
import { startTestApp, type TestApp } from '../server/test-app.js'

const RECORD = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))
const RECORD_ID = 'plan-1767061562002'
/** An id that does not fit into a URL path. */
const DOTS = '..'

let sql: Selector
let server: TestApp
let client: Client

beforeAll(async () => {
  const fresh = await freshDatabase()
  sql = createSelector({ url: inject('clickhouseReaderUrl'), database: fresh.database })
  server = await startTestApp({ sql }, fresh)
  client = createClient({ endpoint: 'http://localhost', fetch: (url, init) => server.app.request(url, init) })
  await client.import(RECORD, { source: 'nightly' })
  await server.send(lifeOf(DOTS, 1).rows)
  await server.send(lifeOf('é'.repeat(3000), 2).rows)
  for (let number = 3; number < 6; number++) await server.send(lifeOf(`plan-${String(number)}`, number).rows)
})
afterAll(async () => {
  await sql.close()
  await server.close()
})

const lifeOf = (planId: string, number: number) =>
  wholeLife({ planId, traceId: String(number).repeat(32), begin: Date.UTC(2026, 2, 4, 12, number) })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const reported: T[] = []
  for await (const item of items) reported.push(item)
  return reported
}

describe('the faults of a plan', () => {
  test('are read for a plan with any id', async () => {
    for (const planId of [DOTS, 'é'.repeat(3000)]) {
      const { failures, waits } = await client.faults(planId, { limit: 1 })
      expect([failures.count, waits.items.map(({ title }) => title)]).toEqual([0, ['May I book?']])
    }
  })
})

describe('a comparison', () => {
  test('compares plans, each by its own id, trace and source', async () => {
    const plans = [
      { planId: DOTS, trace: '1'.repeat(32) },
      { planId: RECORD_ID, source: 'nightly' },
      { planId: 'plan-3' },
    ]
    const reported = await client.compare(plans, { limit: 2 })
    expect(reported.plans.map(({ id, source }) => [id, source])).toEqual([
      [DOTS, null],
      [RECORD_ID, 'nightly'],
      ['plan-3', null],
    ])
    expect(reported.comparisons.map(({ other, isSame, rows }) => [other, isSame, rows.length <= 2])).toEqual([
      [1, false, true],
      [2, true, true],
    ])
  })
})

describe('SQL', () => {
  test('returns rows', async () => {
    await server.index()
    const sql = 'SELECT {text:String} AS Text, count() AS Plans FROM plans'
    expect(await client.sql({ sql, parameters: { text: "it's" } })).toEqual({
      columns: [
        { name: 'Text', type: 'String' },
        { name: 'Plans', type: 'UInt64' },
      ],
      rows: [["it's", '6']],
      cut: null,
    })
    await expect(client.sql({ sql: 'DROP VIEW plans' })).rejects.toMatchObject({ code: 'access_denied', status: 403 })
  })
})

describe('plans', () => {
  test('are read in pages, and over all pages', async () => {
    const { records, nextCursor } = await client.list()
    expect([records.length, nextCursor]).toEqual([6, null])
    expect((await all(client.pages({ limit: 2 }))).map((page) => page.records)).toEqual([
      records.slice(0, 2),
      records.slice(2, 4),
      records.slice(4),
    ])
    expect(await all(client.plans({ limit: 2, tool: 'browse' }))).toEqual(records.filter(({ live }) => live))
  })

  test('are counted', async () => {
    const { plans, facets } = await client.facets({ workflow: 'trip' })
    expect(plans).toBe(5)
    expect(facets.state).toEqual([{ value: 'completed', plans: 5 }])
  })

  test('are reported as they appear and leave', async () => {
    const stop = new AbortController()
    const changes = client.listChanges({ state: 'completed', limit: 1 }, { signal: stop.signal })
    const reported: ListChange[] = []
    const next = async (): Promise<string> => {
      const { value } = await changes.next()
      if (value) reported.push(value)
      return value?.kind ?? 'over'
    }
    while ((await next()) !== 'known');
    await server.send(lifeOf('plan-6', 6).rows)
    while ((await next()) !== 'known');
    stop.abort()
    expect(await next()).toBe('over')
    expect(reported.map((change) => (change.kind === 'plan' ? change.plan.planId : change.kind))).toEqual([
      'plan-5',
      'known',
      'gone',
      'plan-6',
      'known',
    ])
  })
})

describe('a record', () => {
  test('is returned byte for byte, with its metadata', async () => {
    const { bytes, ...said } = await client.record(RECORD_ID)
    expect(Buffer.from(bytes).equals(RECORD)).toBe(true)
    expect(said).toMatchObject({ verdict: 'complete', dialect: 'plan-execution', missingCount: 0, missing: [] })
    expect(said.state).toBe('waiting')
    expect(said.traceId).toMatch(/^[\da-f]{32}$/)
  })

  test('is returned again only if it has changed', async () => {
    const { etag } = await client.record(RECORD_ID)
    expect(await client.record(RECORD_ID, {}, { ifNoneMatch: etag })).toBeUndefined()
    expect(await client.record(RECORD_ID, { format: 'trajectory' }, { ifNoneMatch: etag })).toBeDefined()
  })

  test.each([RECORD_ID, DOTS, 'é'.repeat(3000)])(
    'has a structure, spans, each span on its own, and a verdict',
    async (id) => {
      const { verdict, state, traceId, missingCount } = await client.record(id)
      expect(await client.verdict(id)).toEqual({ verdict, state, traceId, missingCount, missing: [], leftOut: [] })
      const { spans: structure } = await client.structure(id)
      const spans = await client.spans(id)
      expect(structure.map(([spanId]) => spanId)).toEqual(spans.map(({ spanId }) => spanId))
      const [first] = spans
      expect(await client.span(id, first!.spanId)).toEqual(first)
      expect((await client.record(id)).verdict).toBe('complete')
    },
  )

  test('of an agent is read by its step', async () => {
    const record = await client.record({ stepId: 'step-0' })
    expect(record.dialect).toBe('plan-execution')
  })

  test('that does not exist is reported as not found', async () => {
    await expect(client.record('nobody')).rejects.toMatchObject({ code: 'not_found', status: 404 })
  })

  test('yields its spans live, and its events', async () => {
    const life = lifeOf('plan-7', 7)
    await server.send(life.rows.slice(0, 4))
    const [spans, events] = [client.spanChanges('plan-7'), client.events('plan-7')]
    await Promise.all([spans.next(), events.next()])
    await server.send(life.rows.slice(4))
    const [reported] = await Promise.all([all(spans), all(events)])
    const ended = reported.filter((change) => change.kind === 'span' && !change.span.pending)
    expect(new Set(ended.map((change) => change.kind === 'span' && change.span.spanId)).size).toBe(
      (await client.spans('plan-7')).length,
    )
    expect((await all(client.events(RECORD_ID))).every(({ kind }) => kind === 'event')).toBe(true)
  })

  test('yields its structure live, without payloads', async () => {
    const life = lifeOf('plan-8', 8)
    await server.send(life.rows.slice(0, 4))
    const changes = client.structureChanges('plan-8')
    await changes.next()
    await server.send(life.rows.slice(4))
    const reported = await all(changes)
    const ended = reported.flatMap((change) => (change.kind === 'span' && !change.span[9] ? [change.span[0]] : []))
    const { spans } = await client.structure('plan-8')
    expect(new Set(ended)).toEqual(new Set(spans.map(([spanId]) => spanId)))
  })

  test('includes the server’s description of itself', () => {
    expect(HEADERS).toEqual(RECORD_HEADERS)
  })
})

describe('an export', () => {
  test('has a line per record, and resumes after a cursor', async () => {
    const lines = await all(client.export({ until: '2026-03-04T12:06' }))
    const plans: PlanJson[] = await all(client.plans({ until: '2026-03-04T12:06' }))
    expect(lines.map(({ planId }) => planId)).toEqual(plans.map(({ planId }) => planId))
    expect(await all(client.export({ until: '2026-03-04T12:06', cursor: lines[1]!.cursor }))).toEqual(lines.slice(2))
  })

  test('can be read as it is written, too', async () => {
    const pieces = await all(await client.exportBytes({ exact: true, source: 'nightly' }))
    const { text } = JSON.parse(Buffer.concat(pieces).toString()) as { text: string }
    expect(text).toBe(RECORD.toString())
  })
})

describe('an import', () => {
  test('with malformed records fails and names them', async () => {
    const refused = client.import(`${RECORD.toString()}\n{`, { format: 'plan-execution' })
    await expect(refused).rejects.toMatchObject({ status: 400, problem: { refused: [{ line: 2 }], refusedCount: 1 } })
  })

  test('can continue past malformed records', async () => {
    const file = `${JSON.stringify(JSON.parse(RECORD.toString()))}\n[]\n`
    const report = await client.import(file, { format: 'plan-execution', source: 'again', keepGoing: true })
    expect([report.records.map(({ planId }) => planId), report.refusedCount]).toEqual([[RECORD_ID], 1])
  })
})

test('the server reports on a trace, its disks and itself', async () => {
  expect((await client.traceReading('1'.repeat(32))).map(({ role }) => role)).toContain('plan')
  expect((await client.storage()).spanTimes).toBeNull()
  expect(await client.readiness()).toMatchObject({ status: 'ready', database: server.store.database })
  expect(await client.readiness({ layout: true })).toHaveProperty('layout')
})
