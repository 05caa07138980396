import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { flushWhileDelivering } from '../../src/tracing/flush-on-exit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Three spans, delivered at a fixed interval in milliseconds. */
function deliverEvery(millis: number) {
  const queue = { unsent: 3, delivered: 0 }
  const flush = async (): Promise<void> => {
    while (queue.unsent > 0) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await new Promise((resolve) => setTimeout(resolve, millis))
      queue.unsent--
      queue.delivered++
    }
  }
  return { queue, flush }
}

test.each([
  [4_000, true, 0],
  [6_000, false, 3],
])('waits at most 5 s for each span, delivered every %i ms: %s', async (millis, isSent, unsent) => {
  const sending = deliverEvery(millis)
  const flushed = flushWhileDelivering({ ...sending, timeoutMillis: 5_000 }).then((value) => [
    value,
    sending.queue.unsent,
  ])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await flushed).toEqual([isSent, unsent])
})
