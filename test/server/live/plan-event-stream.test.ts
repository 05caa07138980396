import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { eventStream } from '../../../src/server/live/plan-event-stream.js'
import { PlanFeeds } from '../../../src/server/live/plan-feeds.js'
import { WORK } from '../../../src/server/rebuild/work.js'
import { livePlan } from '../live-plan.js'

const ids = { traceId: 'a'.repeat(32), planId: 'plan', subPlanId: 'below', stepId: 'step' }

// Only the stream and its feed may set timers, and no timer expires by itself.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a client that disconnects while it waits leaves nothing behind', async () => {
  const rows = livePlan(ids).map(toStoredSpan)
  const waiting = rows.map((row) => ({ ...row, attributes: { ...row.attributes, [ATTR.state]: 'waiting' } }))
  const feeds = new PlanFeeds({
    reader: { readTraces: async () => new Map([[ids.traceId, waiting]]), traceProgress: async () => new Map() },
    rebuilder: {
      run: (name, task) =>
        WORK[name](task as never, {
          readTrace: async () => waiting,
          readTraces: async () => new Map(),
          readOnlyTrace: async () => waiting,
          findAgentTraces: async () => [],
        }) as never,
    },
  })
  const feed = await feeds.open({ planId: ids.planId, traceId: ids.traceId })
  const reader = eventStream({ feeds, feed, from: feed.log.length }).getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toMatch(/^retry: /)
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(': up to date\r\n\r\n')
  const pending = reader.read()
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
  await reader.cancel()
  expect(await pending).toEqual({ done: true, value: undefined })
  expect(feeds.watchers).toBe(0)
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
})
