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

/** What has been told of a plan: the state of each row, and that it is gone. */
const toldOf = ({ frames }: EventSourceReader, planId: string): unknown[] =>
  frames
    .filter(({ data }) => data['planId'] === planId)
    .map(({ event, data }) => (event === 'gone' ? 'gone' : data['state']))

test('plans that come, change and leave a filtered list are told, and nothing twice', async () => {
  await server.send(rowsOf(1))
  const [done, open, newest] = [
    await watch('state=completed'),
    await watch('state=planning,running,updating,waiting'),
    await watch('limit=1'),
  ]
  expect(toldOf(done, 'plan-1')).toEqual(['completed'])
  expect(toldOf(open, 'plan-1')).toEqual([])
  const rows = rowsOf(2)
  await server.send(rows.slice(0, 3))
  await open.until(() => toldOf(open, 'plan-2').length > 0)
  await server.send(rows.slice(3))
  await done.until(() => toldOf(done, 'plan-2').length > 0)
  await open.until(() => toldOf(open, 'plan-2').includes('gone'))
  await newest.until(() => toldOf(newest, 'plan-2').includes('completed'))
  expect(toldOf(newest, 'plan-1')).toEqual(['completed', 'gone'])
  for (const { frames } of watchers) {
    const told = frames.filter(({ event }) => event === 'plan').map(({ data }) => JSON.stringify(data))
    expect(new Set(told).size).toBe(told.length)
  }
  const { records } = await read<{ records: object[] }>(server, '/api/records?limit=1')
  expect(newest.frames.findLast(({ event }) => event === 'plan')?.data).toEqual(records[0])
})

test('a stopping server ends the streams and takes no new ones', async () => {
  stop.abort()
  for (const events of watchers) await events.toEnd()
  expect((await server.app.request('/api/events')).status).toBe(503)
})
