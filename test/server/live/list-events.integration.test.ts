import { afterAll, beforeAll, expect, test } from 'vitest'

import { EventSourceReader } from '../../support/event-source.js'
import { wholeLife } from '../../support/plan-life.js'
import { read } from '../listed-plans.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp
const stop = new AbortController()
const watchers: EventSourceReader[] = []

beforeAll(async () => {
  server = await startTestApp({ stop: stop.signal })
})
afterAll(() => server.close())

const rowsOf = (number: number) =>
  wholeLife({
    planId: `plan-${String(number)}`,
    traceId: String(number).repeat(32),
    begin: Date.UTC(2026, 2, 4, 12, number),
  }).rows

async function watch(query: string): Promise<EventSourceReader> {
  const response = await server.app.request(`/api/events?${query}`)
  expect(response.status).toBe(200)
  const events = new EventSourceReader(response.body!)
  watchers.push(events)
  await events.until(() => events.types.includes('known'))
  return events
}

/** The events received for a plan: the state of each row, and its removal. */
const statesOf = ({ frames }: EventSourceReader, planId: string): unknown[] =>
  frames
    .filter(({ data }) => data['planId'] === planId)
    .map(({ event, data }) => (event === 'gone' ? 'gone' : data['state']))

test('a filtered list reports plans that appear, change and leave, and repeats nothing', async () => {
  await server.send(rowsOf(1))
  const [done, open, newest] = [
    await watch('state=completed'),
    await watch('state=planning,running,updating,waiting'),
    await watch('limit=1'),
  ]
  expect(statesOf(done, 'plan-1')).toEqual(['completed'])
  expect(statesOf(open, 'plan-1')).toEqual([])
  const rows = rowsOf(2)
  await server.send(rows.slice(0, 3))
  await open.until(() => statesOf(open, 'plan-2').length > 0)
  await server.send(rows.slice(3))
  await done.until(() => statesOf(done, 'plan-2').length > 0)
  await open.until(() => statesOf(open, 'plan-2').includes('gone'))
  await newest.until(() => statesOf(newest, 'plan-2').includes('completed'))
  expect(statesOf(newest, 'plan-1')).toEqual(['completed', 'gone'])
  for (const { frames } of watchers) {
    const reported = frames.filter(({ event }) => event === 'plan').map(({ data }) => JSON.stringify(data))
    expect(new Set(reported).size).toBe(reported.length)
  }
  const { records } = await read<{ records: object[] }>(server, '/api/records?limit=1')
  expect(newest.frames.findLast(({ event }) => event === 'plan')?.data).toEqual(records[0])
})

test('a stopping server ends the streams and accepts no new ones', async () => {
  stop.abort()
  for (const events of watchers) await events.toEnd()
  expect((await server.app.request('/api/events')).status).toBe(503)
})
