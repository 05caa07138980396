import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { ATTR, type Span } from '../../../src/semconv/index.js'
import { eventsRoute } from '../../../src/server/live/events-route.js'
import { createApp } from '../../../src/server/index.js'
import { listen } from '../../../src/server/http/listen.js'
import { PlanFeeds } from '../../../src/server/live/plan-feeds.js'
import { EventSourceReader, typesOf, type Frame } from '../../support/event-source.js'
import { PlanLife, wholeLife } from '../../support/plan-life.js'
import { recordsOf, startTestApp, type TestApp } from '../test-app.js'

let server: TestApp
let lives = 0

beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

/** Another server process over the same store. */
const otherServer = (clock?: () => number) => {
  const records = recordsOf(server.store.reader)
  const feeds = new PlanFeeds(records, clock)
  return { feeds, app: eventsRoute({ records, feeds }) }
}

const newPlan = () => {
  const number = ++lives
  return { planId: `plan-${String(number)}`, traceId: number.toString(16).padStart(32, '0') }
}

async function watch(planId: string, lastEventId?: string, app = server.app): Promise<EventSourceReader> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await app.request(`/api/records/${planId}/events`, { headers })
  expect(response.status).toBe(200)
  return new EventSourceReader(response.body!)
}

const eventIdOf = ({ data }: Frame): unknown => data['event_id']

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, chunk) => items.slice(chunk * size, (chunk + 1) * size))

const WHOLE = [
  'title',
  'plan',
  'step running',
  'tool calling',
  'tool called',
  'step completed',
  'step running',
  'message',
  'wait',
  'step running',
  'tool calling',
  'tool called',
  'step completed',
  'message',
  'plan',
  'done',
]

describe('the events of a running plan', () => {
  test('arrive as they are stored, each once and in order, and end with the plan', async () => {
    const ids = newPlan()
    const [first, ...rest] = wholeLife(ids).rows
    await server.send([first!])
    const watcher = await watch(ids.planId)
    await watcher.until(() => watcher.frames.length === 1)
    for (const row of rest) await server.send([row])
    await watcher.toEnd()
    expect(watcher.types).toEqual(WHOLE)
    expect(new Set(watcher.frames.map(({ id }) => id)).size).toBe(WHOLE.length)
    const past = await watch(ids.planId)
    await past.toEnd()
    expect(past.frames).toEqual(watcher.frames)
  })

  test('include those that another process writes', async () => {
    const ids = newPlan()
    const [first, ...rest] = wholeLife(ids).rows
    await server.send([first!])
    const watcher = await watch(ids.planId, undefined, otherServer().app)
    await watcher.until(() => watcher.frames.length === 1)
    for (const rows of chunksOf(rest, 5)) await server.send(rows)
    await watcher.toEnd()
    expect(watcher.types).toEqual(WHOLE)
  })

  test('are looked up rarely once every span is stored twice, and still found when they arrive', async () => {
    const ids = newPlan()
    const { rows } = wholeLife(ids)
    const { reader } = server.store
    let asked = 0
    let askedAtReading = 0
    let readings = 0
    const counting: typeof reader = {
      ...reader,
      traceProgress(options) {
        asked++
        return reader.traceProgress(options)
      },
      readTraces(traceIds) {
        askedAtReading = asked
        readings++
        return reader.readTraces(traceIds)
      },
    }
    await server.send(rows.slice(0, 12))
    for (const row of rows.slice(0, 12)) await server.send([row])
    const records = recordsOf(counting)
    const watcher = await watch(ids.planId, undefined, eventsRoute({ records, feeds: new PlanFeeds(records) }))
    const end = watcher.toEnd()
    await vi.waitFor(() => expect(asked - askedAtReading).toBeGreaterThan(9), { timeout: 30_000 })
    expect(readings).toBeLessThan(8)
    await server.send(rows.slice(12))
    await end
    expect(watcher.types).toEqual(WHOLE)
  }, 60_000)

  test('continue after the client’s last event, from any server', async () => {
    const ids = newPlan()
    const seen: Frame[] = []
    for (const rows of chunksOf(wholeLife(ids).rows, 3)) {
      await server.send(rows)
      const watcher = await watch(ids.planId, seen.at(-1)?.id, otherServer().app)
      await watcher.untilUpToDate()
      seen.push(...watcher.frames)
    }
    const { app } = otherServer()
    expect(typesOf(seen)).toEqual(WHOLE)
    const headers = { 'last-event-id': seen.at(-1)!.id! }
    expect((await app.request(`/api/records/${ids.planId}/events`, { headers })).status).toBe(204)
  })

  test('continue after an event that is named by the event_id in its data', async () => {
    const ids = newPlan()
    await server.send(wholeLife(ids).rows)
    const all = await watch(ids.planId)
    await all.toEnd()
    const rest = await watch(ids.planId, String(all.frames[4]!.data['event_id']))
    await rest.toEnd()
    expect(rest.frames).toEqual(all.frames.slice(5))
  })

  test('are complete when spans arrive late and out of order while the client is away', async () => {
    const ids = newPlan()
    const { rows } = wholeLife(ids)
    const isLate = ({ attributes }: Span): boolean => attributes[ATTR.stepId] === 'step-0'
    await server.send(rows.filter((row, index) => index < 25 && !isLate(row)))
    const before = await watch(ids.planId)
    await before.untilUpToDate()
    await before.cancel()
    await server.send(rows.filter(isLate))
    await server.send(rows.slice(25))

    const after = await watch(ids.planId, before.lastId)
    await after.toEnd()
    const both = [...before.frames, ...after.frames]
    expect(new Set(both.map(eventIdOf)).size).toBe(WHOLE.length)
    expect(both).toHaveLength(WHOLE.length)

    const elsewhere = await watch(ids.planId, before.lastId, otherServer().app)
    await elsewhere.toEnd()
    expect(new Set([...before.frames, ...elsewhere.frames].map(eventIdOf))).toEqual(new Set(both.map(eventIdOf)))
  })

  test('wait as long as the plan does', async () => {
    const ids = newPlan()
    const life = new PlanLife(ids)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    life.start('wait', 'wait', 'agent', { [ATTR.waitTitle]: 'Well?' })
    await server.send(life.rows)
    const watcher = await watch(ids.planId)
    await watcher.until(() => watcher.types.at(-1) === 'wait')
    await server.send([life.end('wait'), life.end('agent'), life.end('plan')])
    await watcher.toEnd()
    expect(watcher.types.slice(-4)).toEqual(['step running', 'step completed', 'plan', 'done'])
  })
})

describe('the end of a stream', () => {
  test('comes with an error when the plan is interrupted; a client that knows waits for its resumption', async () => {
    const ids = newPlan()
    const life = new PlanLife(ids)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    await server.send([...life.rows, life.end('plan', { [ATTR.state]: 'interrupted' })])
    const watcher = await watch(ids.planId)
    await watcher.toEnd()
    expect(watcher.types).toEqual(['plan', 'step running', 'error'])
    expect(watcher.frames.at(-1)!.data['error']).toMatch(/interrupted/)
    const again = await watch(ids.planId, watcher.lastId)
    await again.untilUpToDate()
    expect({ frames: again.frames, isOver: again.isOver }).toEqual({ frames: [], isOver: false })
    await server.send([life.end('agent', { [ATTR.state]: 'completed' })])
    await again.until(() => again.frames.length > 0)
    expect(again.types).toEqual(['step completed'])
    await again.cancel()
  })

  test('is not final when a failed plan is resumed', async () => {
    const ids = newPlan()
    const life = new PlanLife(ids)
    life.start('plan', 'plan')
    const failed = life.end('plan', { [ATTR.state]: 'failed' })
    await server.send(life.rows)
    const watcher = await watch(ids.planId)
    await watcher.toEnd()
    expect(watcher.types).toEqual(['plan', 'error'])

    life.adopt('plan', failed)
    const again = life.start('again', 'plan', 'plan', { [ATTR.planSegment]: 1 })
    await server.send([again])
    const after = await watch(ids.planId, watcher.lastId)
    await after.untilUpToDate()
    await server.send([life.end('again', { [ATTR.state]: 'completed' })])
    await after.toEnd()
    expect(after.types).toEqual(['plan', 'done'])
  })

  test('waits for spans that the end of the plan has overtaken', async () => {
    const ids = newPlan()
    const life = wholeLife(ids)
    const last = life.rows.at(-1)!
    const { app } = otherServer(() => Number(last.endTimeUnixNano / 1_000_000n))
    const reported = { ...last, attributes: { ...last.attributes, 'planspan.children.agent': 2 } }
    const isLate = ({ attributes }: Span): boolean => attributes[ATTR.stepId] === 'step-1'
    await server.send([...life.rows.slice(0, -1).filter((row) => !isLate(row)), reported])
    const watcher = await watch(ids.planId, undefined, app)
    await watcher.until(() => watcher.types.at(-1) === 'step completed')
    await server.send(life.rows.filter(isLate))
    await watcher.toEnd()
    expect([...watcher.types].sort()).toEqual([...WHOLE].sort())
    expect(watcher.types.at(-1)).toBe('done')
  })

  test('comes when the server stops', async () => {
    const ids = newPlan()
    await server.send(wholeLife(ids).rows.slice(0, 9))
    const stop = new AbortController()
    const app = createApp({ ...server, stop: stop.signal })
    const watcher = await watch(ids.planId, undefined, app)
    await watcher.until(() => watcher.frames.length > 0)
    stop.abort()
    await watcher.toEnd()
    expect((await app.request(`/api/records/${ids.planId}/events`)).status).toBe(503)
  })
})

describe('over a socket', () => {
  test('a stream ends with its last byte when the server stops', async () => {
    const ids = newPlan()
    await server.send(wholeLife(ids).rows.slice(0, 9))
    const stop = new AbortController()
    const listener = await listen(createApp({ ...server, stop: stop.signal }).fetch, { port: 0, host: '127.0.0.1' })
    const response = await fetch(`http://127.0.0.1:${String(listener.port)}/api/records/${ids.planId}/events`)
    const watcher = new EventSourceReader(response.body!)
    await watcher.untilUpToDate()
    stop.abort()
    await watcher.toEnd()
    expect(watcher.isOver).toBe(true)
    await listener.close(new AbortController().signal)
  })

  test('a disconnected client is released', async () => {
    const ids = newPlan()
    await server.send(wholeLife(ids).rows.slice(0, 9))
    const { app, feeds } = otherServer()
    const listener = await listen(app.fetch, { port: 0, host: '127.0.0.1' })
    const leaving = new AbortController()
    const url = `http://127.0.0.1:${String(listener.port)}/api/records/${ids.planId}/events`
    const watcher = new EventSourceReader((await fetch(url, { signal: leaving.signal })).body!)
    await watcher.untilUpToDate()
    expect(feeds.watchers).toBe(1)
    leaving.abort()
    await vi.waitFor(() => expect(feeds.watchers).toBe(0))
    await listener.close(AbortSignal.abort())
  })
})

describe('a client', () => {
  test('that disconnects or never reads leaves nothing behind', async () => {
    const ids = newPlan()
    await server.send(wholeLife(ids).rows.slice(0, 9))
    const { app, feeds } = otherServer()
    const watchers = await Promise.all([1, 2, 3].map(() => watch(ids.planId, undefined, app)))
    for (const watcher of watchers) await watcher.until(() => watcher.frames.length > 0)
    expect(feeds.watchers).toBe(3)
    for (const watcher of watchers) await watcher.cancel()
    expect((await app.request(`/api/records/${ids.planId}/events`, { method: 'HEAD' })).status).toBe(200)
    expect(feeds.watchers).toBe(0)
  })

  test('that reads slowly has only as many events prepared as it reads', async () => {
    const ids = newPlan()
    const life = new PlanLife(ids)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    life.start('cycle', 'think_act', 'agent')
    const page = 'x'.repeat(200_000)
    for (let call = 0; call < 20; call++) {
      life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'browse' })
      life.end('tool', { [ATTR.toolCallResult]: JSON.stringify(page) })
    }
    await server.send(life.rows)
    const response = await server.app.request(`/api/records/${ids.planId}/events`)
    const reader = response.body!.getReader()
    let largest = 0
    for (let size = 0; size < 4_000_000;) {
      const { value } = await reader.read()
      size += value!.length
      largest = Math.max(largest, value!.length)
    }
    await reader.cancel()
    expect(largest).toBeLessThan(1_000_000)
  })
})
