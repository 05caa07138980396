import { expect, onTestFinished, test } from 'vitest'

import { wholeLife } from '../support/plan-life.js'
import { startViewer } from './support/viewer.js'

const DAY_MS = 86_400_000

test('the list shows when plans began, however long ago, and truncates no time', async () => {
  const viewer = await startViewer()
  onTestFinished(() => viewer.close())
  const now = Date.now()
  const year = new Date(now).getUTCFullYear()
  // Ten days in a row: most have two digits, and the last is in another year than today.
  const begins = Array.from({ length: 10 }, (_, index) => now - (index + 1) * DAY_MS)
  begins.push(Date.UTC(year - 1, 10, 22, 22, 5))
  for (const [index, begin] of begins.entries()) {
    const traceId = index.toString(16).padStart(32, 'f')
    await viewer.send(wholeLife({ planId: `plan-${index}`, traceId, begin }).rows)
  }
  const page = await viewer.open('/plans')
  const times = page.locator('.plan-row:not(.header) .c-start')
  await expect.poll(() => times.count()).toBe(begins.length)
  expect(await times.last().innerText()).toBe(`Nov 22, ${year - 1}`)
  for (const time of await times.all()) {
    const [needed, given] = await time.evaluate((cell: { scrollWidth: number; clientWidth: number }) => [
      cell.scrollWidth,
      cell.clientWidth,
    ])
    expect(needed).toBeLessThanOrEqual(given!)
  }
})
