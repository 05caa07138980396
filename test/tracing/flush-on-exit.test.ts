import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { flushWhileDelivering } from '../../src/tracing/flush-on-exit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Three spans, one of which is delivered every so many milliseconds. */
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
])('what is delivered a span in %i ms is waited for within 5 s each: %s', async (millis, isSent, unsent) => {
  const sending = deliverEvery(millis)
  const flushed = flushWhileDelivering({ ...sending, timeoutMillis: 5_000 }).then((value) => [
    value,
    sending.queue.unsent,
  ])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await flushed).toEqual([isSent, unsent])
})
