import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { Indexer } from '../../../src/indexer/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import type { RecordPage } from '../../../src/wire/index.js'
import { insertStoredSpans } from '../../store/spans.js'
import { EventSourceReader } from '../../support/event-source.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { answeringWith } from '../../support/stored-texts.js'
import { type SpanInput, traceRows } from '../../support/traces-of-spans.js'
import { startTestApp, type TestApp } from '../test-app.js'

let fresh: FreshDatabase
let server: TestApp

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startTestApp({}, fresh)
})
afterAll(() => server.close())

const BEGIN = Date.UTC(2026, 10, 26)

interface Story {
  readonly call: string
  readonly service: string
  readonly conversation?: string
}

const traceId = (digit: string): string => digit.repeat(32 / digit.length)
const messages = (role: string, part: object) => [{ role, parts: [part] }]

/** The span of a run, and its model call. */
const run = (digit: string, at: number, { call, service, conversation }: Story, chat: SpanInput): StoredSpan[] =>
  traceRows(
    {
      a: {
        at: BEGIN + at,
        until: BEGIN + at + 50,
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'cleaner',
        ...(conversation !== undefined && { 'gen_ai.conversation.id': conversation }),
      },
      c: {
        at: BEGIN + at + 1,
        parent: 'a',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': '10',
        'gen_ai.usage.output_tokens': '1',
        ...chat,
      },
    },
    { traceId: traceId(digit), service },
  ).map((row) => ({ ...row, attributes: { ...row.attributes, story: call } }))

const asking = (digit: string, at: number, story: Story) =>
  run(digit, at, story, {
    'gen_ai.output.messages': messages('assistant', {
      type: 'tool_call',
      id: story.call,
      name: 'delete',
      arguments: {},
    }),
  })

const answering = (digit: string, at: number, story: Story, next?: string) =>
  run(digit, at, story, {
    'gen_ai.input.messages': [
      ...messages('assistant', { type: 'tool_call', id: story.call, name: 'delete', arguments: {} }),
      ...messages('tool', { type: 'tool_call_response', id: story.call, response: 'deleted' }),
    ],
    'gen_ai.output.messages': messages(
      'assistant',
      next === undefined
        ? { type: 'text', content: 'Done.' }
        : { type: 'tool_call', id: next, name: 'delete', arguments: {} },
    ),
  })

const insert = (rows: StoredSpan[]) => insertStoredSpans(server.store.client, fresh.database, rows)
const ask = (path: string, init?: RequestInit) => server.app.request(path, init)

/** The state of a plan in the list, the record, its header and SQL; `none` where the plan is not. */
async function statesOf(digit: string) {
  await server.index()
  const list = (await (await ask(`/api/records?trace=${traceId(digit)}`)).json()) as RecordPage
  const answer = await ask(`/api/records/${traceId(digit)}`)
  const record = (await answer.json()) as {
    planId: string
    planspan: { modelCalls: number; usage: { inputTokens: number } }
  }
  const sql = `SELECT plan.State, usage.InputTokens FROM ${fresh.database}.plans AS plan
    JOIN ${fresh.database}.plan_usage AS usage USING (PlanId) WHERE PlanId = '${record.planId}'`
  const row = (await execute(fresh.url, sql)).trim().split('\t')
  return {
    planId: record.planId,
    listed: list.records.map(({ planId, state }) => [planId, state]),
    header: answer.headers.get('planspan-state'),
    sql: row,
    modelCalls: record.planspan.modelCalls,
  }
}

const one = (digit: string, state: string, calls: number) => ({
  planId: traceId(digit),
  listed: [[traceId(digit), state]],
  header: state,
  sql: [state, String(10 * calls)],
  modelCalls: calls,
})

describe('a plan that goes on in another trace', { timeout: 120_000 }, () => {
  const STORIES = {
    'of its conversation': { call: 'call_1', service: 'one', conversation: 'conv-1' },
    'without a conversation': { call: 'call_x7', service: 'two' },
  } as const

  it.each(Object.entries(STORIES))('%s is one plan, found by the ids of both', async (_, story) => {
    const [first, next] = story.service === 'one' ? ['1', '2'] : ['3', '4']
    await insert(asking(first, 0, story))
    expect(await statesOf(first)).toEqual(one(first, 'waiting', 1))
    await insert(answering(next, 100, story))
    expect(await statesOf(first)).toEqual(one(first, 'completed', 2))
    expect(await statesOf(next)).toEqual(one(first, 'completed', 2))
  })

  it('is one plan if the answer arrives first', async () => {
    const story = { call: 'call_y', service: 'three' }
    await insert(answering('6', 100, story))
    expect(await statesOf('6')).toEqual(one('6', 'completed', 1))
    await insert(asking('5', 0, story))
    expect(await statesOf('6')).toEqual(one('5', 'completed', 2))
  })

  it('goes on more than once, stays one after a restart and when it is indexed again, and grows', async () => {
    const story = { call: 'call_z', service: 'four' }
    await insert([
      ...answering('8', 100, story, 'call_z2'),
      ...answering('9', 200, { ...story, call: 'call_z2' }),
      ...asking('7', 0, story),
    ])
    expect(await statesOf('7')).toEqual(one('7', 'completed', 3))
    const again = new Indexer({ target: { client: server.store.client, url: fresh.url, database: fresh.database } })
    again.reindex([traceId('7'), traceId('8'), traceId('9')])
    again.start()
    await again.catchUp()
    await again.close()
    expect(await statesOf('9')).toEqual(one('7', 'completed', 3))
  })

  it.each(['events', 'spans/events'])(
    'reports the trace in which it goes on in its live %s',
    async (feed) => {
      const [first, next] = feed === 'events' ? ['ab', 'ac'] : ['ad', 'ae']
      const story = { call: `call_${feed}`, service: feed }
      await insert(asking(first, 0, story))
      await server.index()
      const { body } = await ask(`/api/records/${traceId(first)}/${feed}`)
      const watcher = new EventSourceReader(body!)
      await watcher.until(() => watcher.frames.length > 0)
      await insert(answering(next, 100, story))
      await server.index()
      const hears = () => JSON.stringify(watcher.frames).includes('Done.')
      await watcher.until(hears)
      await watcher.toEnd()
      expect(hears()).toBe(true)
    },
    15_000,
  )

  it('is not joined by an id that is not unique, or in another conversation', async () => {
    const story = { call: 'call_1', service: 'five' }
    await insert([...asking('a', 0, story), ...asking('b', 10, story)])
    await insert(answering('c', 100, story))
    await insert(answering('d', 100, { ...story, service: 'one', conversation: 'conv-2' }))
    expect((await statesOf('a')).listed).toEqual([[traceId('a'), 'waiting']])
    expect((await statesOf('c')).planId).toBe(traceId('c'))
    expect((await statesOf('d')).planId).toBe(traceId('d'))
  })

  it('is erased with all its traces, by the id of any of them', async () => {
    const story = { call: 'call_erased', service: 'six' }
    await insert([...asking('e', 0, story), ...answering('f', 100, story)])
    expect((await statesOf('f')).planId).toBe(traceId('e'))
    expect((await ask(`/api/records/${traceId('f')}`, { method: 'DELETE' })).status).toBe(204)
    await server.index()
    expect(await answeringWith(fresh, 'tables', 'call_erased')).toEqual([])
  })
})
