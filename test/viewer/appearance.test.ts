import { afterAll, beforeAll, expect, test } from 'vitest'

import { complaints } from './support/axe.js'
import { longPlan } from './support/long-plan.js'
import { stories } from './support/stories.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  await viewer.send(longPlan({ steps: 120, cycles: 4 }))
  await viewer.send(stories()[0]!.spans)
})
afterAll(() => viewer.close())

test('a printed plan shows all of its steps, and its head whole', async () => {
  const page = await viewer.open('/plans/plan-long?view=plan')
  await page.getByText('Part 1 of a long plan').first().waitFor()
  expect(await page.getByText('Part 120 of a long plan').count()).toBe(0)
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Part 120 of a long plan').first().waitFor()
  await viewer.look(page, 'printed')
  const { scrolled, shown } = await page.evaluate<{ scrolled: number; shown: number }>(
    `({ scrolled: document.querySelector('.scroller').scrollHeight, shown: document.querySelector('main').clientHeight })`,
  )
  expect(shown).toBeGreaterThanOrEqual(scrolled)
})

test('a forced palette keeps the bars, and axe reports no problems in it', async () => {
  const page = await viewer.open('/plans/failed-tool?view=waterfall')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.locator('.bar').first().waitFor()
  await viewer.look(page, 'forced-colors')
  const colors = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.bar')].map((bar) => getComputedStyle(bar).backgroundColor)`,
  )
  expect(new Set(colors).size).toBeGreaterThan(3)
  expect(await complaints(page)).toEqual([])
})
