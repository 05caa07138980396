import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ATTR, type Span } from '../../../src/semconv/index.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import type { LogEntry } from '../../../src/server/index.js'
import type { Problem, RecordPage } from '../../../src/wire/index.js'
import { recordSegment } from '../../../src/wire/record-path/index.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { foreignRows, otlpText } from '../../support/foreign-traces.js'
import { answeringWith } from '../../support/stored-texts.js'
import { byId, GET_TRACES, jaegerClient } from '../jaeger/jaeger-client.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/lynxe/${name}`, import.meta.url), 'utf8')
const FOREIGN = 'vercel-ai/ai-sdk-v7-genai.otlp.json'

let fresh: FreshDatabase
let server: TestApp
const logged: LogEntry[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startTestApp({ log: (entry) => void logged.push(entry) }, fresh)
})
afterAll(() => server.close())

const ask = async (path: string, init?: RequestInit): Promise<Response> => server.app.request(path, init)
const erase = (path: string, headers = {}): Promise<Response> => ask(path, { method: 'DELETE', headers })
const said = async (answer: Response) => {
  const { status, code, detail } = (await answer.json()) as Problem
  return { status, code, detail }
}
const post = async (source: string, body: string): Promise<void> => {
  expect((await ask(`/api/records?source=${source}`, { method: 'POST', body })).status).toBe(200)
}
const listed = async (query = 'all=true&limit=1000') =>
  ((await (await ask(`/api/records?${query}`)).json()) as RecordPage).records.map(({ planId }) => planId)
const holding = async (...texts: string[]) => {
  // The indexer writes some of these tables.
  await server.index()
  return answeringWith(fresh, 'tables', ...texts)
}

/** The ids of a live plan by name; its trace id repeats one digit. */
const idsOf = (name: string, digit: string) => ({
  traceId: digit.repeat(32),
  planId: `plan-${name}`,
  subPlanId: `sub-${name}`,
  stepId: `step-${name}`,
})

/** A span of another instrumentation below a live plan's tool call, with a text of its own. */
function foreignBelow(plan: readonly Span[], text: string): Span {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': text }
  return { ...plan[3]!, spanId: 'f'.repeat(16), parentSpanId: plan[3]!.spanId, name: `chat ${text}`, attributes }
}

describe('DELETE /api/records/{id}', { timeout: 180_000 }, () => {
  it('removes a live plan from all tables and views, with the foreign spans in its trace, and nothing else', async () => {
    const [gone, kept] = [idsOf('gone', 'a'), idsOf('kept', 'b')]
    const plan = livePlan(gone)
    await server.send([...plan, foreignBelow(plan, 'model-gone')])
    await server.send(livePlan(kept))
    // Lists wait until all rows are written.
    expect(await listed()).toHaveLength(2)
    const reported = [gone.traceId, gone.planId, gone.subPlanId, gone.stepId, 'model-gone']
    for (const text of reported) expect(await holding(text)).toContain('otel_traces')
    const views = await answeringWith(fresh, 'views', ...reported)
    expect(views).toEqual(expect.arrayContaining(['agents', 'model_calls', 'plans', 'spans', 'tool_calls']))
    const before = await holding(kept.traceId)
    const answer = await erase(`/api/records/${gone.planId}`)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect([await holding(...reported), await answeringWith(fresh, 'views', ...reported)]).toEqual([[], []])
    expect(await holding(kept.traceId)).toEqual(before)
    expect(await listed()).toEqual([kept.planId])
    expect(logged.at(-1)).toMatchObject({
      event: 'plan_erased',
      fields: { planId: 'plan-gone', traceIds: ['a'.repeat(32)], askedBy: 'this process' },
    })
  })

  it('leaves nothing to find: no record, search, list, facet, export, event or trace', async () => {
    const ids = idsOf('searched', 'c')
    const plan = livePlan(ids).map((span) => {
      const { [ATTR.agentName]: agent, ...others } = span.attributes
      return agent === undefined ? span : { ...span, attributes: { ...others, [ATTR.agentName]: 'agent-searched' } }
    })
    await server.send(plan)
    const jaeger = await listenJaeger(server.store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
    const client = jaegerClient(`127.0.0.1:${jaeger.port}`)
    const traces = async () => (await client.stream(GET_TRACES, byId(ids.traceId))).messages.length
    const answers = async () => {
      const paths = [
        `records/${ids.planId}`,
        `records/${ids.subPlanId}`,
        `records/${ids.stepId}`,
        `records/${ids.planId}/spans`,
        `records/${ids.planId}/events`,
        `traces/${ids.traceId}/reading`,
        `executor/details/${ids.planId}`,
      ]
      return Promise.all(paths.map(async (path) => (await ask(`/api/${path}`)).status))
    }
    const reported = async () => {
      const paths = ['facets', 'export', 'records?text=Live', 'records?agent=agent-searched']
      const texts = await Promise.all(paths.map(async (path) => (await ask(`/api/${path}`)).text()))
      return texts.map((text) => /searched/.test(text))
    }
    expect([await answers(), await reported(), await traces()]).toEqual([Array(7).fill(200), Array(4).fill(true), 1])
    expect((await erase(`/api/records/${ids.planId}`)).status).toBe(204)
    expect([await answers(), await reported(), await traces()]).toEqual([Array(7).fill(404), Array(4).fill(false), 0])
    client.close()
    await jaeger.close(AbortSignal.abort())
  })

  it('ends the plan’s event streams, and reports the removal to list streams', async () => {
    const ids = idsOf('watched', 'd')
    const [own, ...others] = livePlan(ids)
    const running: Span = { ...own!, attributes: { ...own!.attributes, [ATTR.state]: 'running' } }
    await server.send([running, ...others])
    const streams = await Promise.all(
      ['events', 'spans/events'].map((path) => ask(`/api/records/${ids.planId}/${path}`)),
    )
    const list = (await ask('/api/events?all=true')).body!.pipeThrough(new TextDecoderStream())
    const ends = Promise.all(streams.map((stream) => stream.text()))
    let seen = ''
    for await (const piece of list) {
      seen += piece
      if (!seen.includes('event: known')) continue
      if (!seen.includes('event: gone')) {
        const answer = await erase(`/api/records/${ids.planId}?running=true`)
        if (answer.status !== 404) expect(answer.status).toBe(204)
      } else break
    }
    expect(seen).toMatch(/event: gone\r?\ndata: .*plan-watched/)
    expect(await ends).toHaveLength(2)
  })

  it('removes all imports of a record, superseded ones and other sources too, unless the request names one', async () => {
    const begun = fixture('details-waiting-input.json').replaceAll('"plan-1767061562002"', '"plan-imported"')
    const grown = begun.replace('"summary":null', '"summary":"later"')
    for (const source of ['one', 'two']) for (const record of [begun, grown]) await post(source, record)
    expect(await listed()).toEqual(expect.arrayContaining(Array(4).fill('plan-imported')))
    expect((await erase('/api/records/plan-imported?source=three')).status).toBe(404)
    expect((await erase('/api/records/plan-imported?source=one')).status).toBe(204)
    expect((await listed('all=true')).filter((id) => id === 'plan-imported')).toHaveLength(2)
    expect((await ask('/api/records/plan-imported?source=two')).status).toBe(200)
    const { records } = (await (await ask('/api/records?source=two')).json()) as RecordPage
    expect((await erase(`/api/records/plan-imported?trace=${records[0]!.traceId}`)).status).toBe(204)
    expect(await holding('plan-imported')).toEqual([])
  })

  it('removes the separate agent records that the plan’s record shows', async () => {
    const details = fixture('details-waiting-input.json')
    const agent = fixture('agent-execution-detail.json').replaceAll(
      '"step-353d351a-ce60-4142-8ce2-79beba213208"',
      '"step-joined"',
    )
    const plan = details.replaceAll('"plan-1767061562002"', '"plan-joined"').replaceAll('"step-a"', '"step-joined"')
    await post('joined', plan)
    await post('joined', agent)
    await post('elsewhere', agent)
    expect((await erase('/api/records/plan-joined')).status).toBe(204)
    expect((await ask('/api/records/step-joined?source=joined')).status).toBe(404)
    expect((await ask('/api/records/step-joined?source=elsewhere')).status).toBe(200)
    expect((await erase('/api/records/step-joined')).status).toBe(204)
    expect(await holding('step-joined')).toEqual([])
  })

  it('removes a trace of another instrumentation by its id', async () => {
    const { traceId, name } = foreignRows(FOREIGN)[0]!
    const headers = { 'content-type': 'application/json' }
    await ask('/v1/traces', { method: 'POST', headers, body: otlpText(FOREIGN) })
    expect(await listed()).toContain(traceId)
    const part = `${traceId}-${foreignRows(FOREIGN)[1]!.spanId}`
    expect(await said(await erase(`/api/records/${part}`))).toMatchObject({ status: 409, code: 'conflict' })
    expect((await erase(`/api/records/${traceId}`)).status).toBe(204)
    expect(await holding(traceId, name)).toEqual([])
  })

  it('refuses a sub-plan and plans that share a trace, unless the request erases all of them', async () => {
    const [one, other] = [idsOf('one', 'e'), idsOf('other', 'e')]
    const moved = livePlan(other).map((span) => ({ ...span, spanId: span.spanId.replace('00', 'aa') }))
    await server.send([...livePlan(one), ...moved])
    const both = { status: 409, code: 'conflict' }
    expect(await said(await erase('/api/records/plan-one'))).toMatchObject({
      ...both,
      detail: expect.stringMatching(/^"plan-one" shares its traces with "plan-other"/) as string,
    })
    expect(await said(await erase('/api/records/sub-one'))).toMatchObject({
      ...both,
      detail: expect.stringContaining('"plan-one"') as string,
    })
    expect((await erase('/api/records/plan-one?together=true')).status).toBe(204)
    expect(await holding('plan-other')).toEqual([])
  })

  it('refuses a plan that is still running', async () => {
    const ids = idsOf('running', 'f')
    const [own, ...others] = livePlan(ids)
    await server.send([{ ...own!, attributes: { ...own!.attributes, [ATTR.state]: 'waiting' } }, ...others])
    expect(await said(await erase(`/api/records/${ids.planId}`))).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining('is not over') as string,
    })
    expect((await erase(`/api/records/${ids.planId}?running=true`)).status).toBe(204)
  })

  it('forgets deduplication: a plan that is sent again after an erasure is stored again, each time', async () => {
    const plan = livePlan(idsOf('again', '1'))
    const record = fixture('details-waiting-input.json').replaceAll('"plan-1767061562002"', '"plan-import-again"')
    await server.send(plan)
    const tables = await holding('plan-again')
    for (let round = 0; round < 2; round++) {
      await server.send(plan)
      await post('again', record)
      expect(await holding('plan-again')).toEqual(tables)
      expect((await ask('/api/records/plan-import-again')).status).toBe(200)
      for (const id of ['plan-again', 'plan-import-again']) {
        expect((await erase(`/api/records/${id}`)).status).toBe(204)
        expect(await said(await erase(`/api/records/${id}`))).toMatchObject({ status: 404, code: 'not_found' })
        expect(await holding(id)).toEqual([])
      }
    }
  })

  it.each(['x'.repeat(20_000), '..', 'a/b'])('accepts any id: %#', async (planId) => {
    await server.send(livePlan({ ...idsOf('long', '2'), planId }))
    expect((await erase(`/api/records/${recordSegment(planId)}`)).status).toBe(204)
    expect(await holding('2'.repeat(32))).toEqual([])
  })

  it('rejects pages of another origin, and erases nothing through Lynxe’s path', async () => {
    const ids = idsOf('safe', '3')
    await server.send(livePlan(ids))
    const answer = await erase(`/api/records/${ids.planId}`, { origin: 'http://evil.example' })
    expect(await said(answer)).toMatchObject({ status: 403, code: 'access_denied' })
    expect((await erase(`/api/executor/details/${ids.planId}`)).status).toBe(200)
    expect(await listed()).toContain(ids.planId)
  })
})
