import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { wholeLife } from '../support/plan-life.js'
import { startViewer, type Viewer } from './support/viewer.js'

const ITEMS = 6_000
/** A megabyte in one value, deep and wide. */
const LARGE = JSON.stringify({
  page: 'museums',
  items: Array.from({ length: ITEMS }, (_, at) => ({
    id: at,
    title: `Room ${at} of the museum`,
    about: { floor: at % 4, words: `${'marble and paint '.repeat(6)}${at === 4_321 ? 'a lost needle' : ''}` },
  })),
})
/** A megabyte without a line break. */
const LONG = `${'x'.repeat(600_000)} a lost needle ${'y'.repeat(400_000)}`

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  const { rows } = wholeLife({ planId: 'plan-large', traceId: 'e'.repeat(32), begin: Date.now() - 5_000 })
  let calls = 0
  await viewer.send(
    rows.map((row) => {
      if (row.attributes[ATTR.toolCallResult] === undefined) return row
      const result = [LARGE, JSON.stringify({ text: LONG })][calls++]!
      return { ...row, attributes: { ...row.attributes, [ATTR.toolCallResult]: result } }
    }),
  )
})
afterAll(() => viewer.close())

/** Opens the tool call with the large result, or the one with the long result. */
async function open(which: 'large' | 'long', options = {}): Promise<Page> {
  const page = await viewer.open('/plans/plan-large?view=tree', options)
  await page.getByRole('treeitem').first().waitFor()
  await page.keyboard.press('+')
  const call = page.getByRole('treeitem', { name: /^Tool call/ })
  await call.nth(which === 'large' ? 0 : 1).click()
  return page
}

const result = (page: Page) => page.locator('.detail-section', { has: page.getByRole('heading', { name: 'Result' }) })

describe('a value of one megabyte', () => {
  test('is formatted by a worker, folded, and drawn only where it is visible', async () => {
    const page = await open('large')
    const items = result(page).getByRole('button', { name: `items, 6,000 members` })
    await items.waitFor()
    expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([
      expect.stringMatching(/^\/assets\/lines-worker-/),
    ])
    await viewer.look(page, 'json-large')
    await items.click()
    await result(page).getByRole('button', { name: '23,902 lines more' }).waitFor()
    expect(await result(page).locator('li').count()).toBe(100)
  })

  test('is searched from hit to hit, and opens the path to each', async () => {
    const page = await open('large')
    const find = result(page).getByRole('searchbox', { name: 'Find in this value' })
    await find.fill('NEEDLE')
    await result(page).getByRole('status').getByText('1', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    const current = result(page).locator('mark.current')
    await current.waitFor()
    expect(await current.innerText()).toBe('needle')
    expect(await result(page).locator('li').count()).toBeLessThan(200)
    await viewer.look(page, 'json-found')
    await find.fill('room 12')
    await result(page).getByRole('status').getByText('111', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await result(page).getByText('2 of 111').waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Shift+Enter')
    await result(page).getByText('111 of 111').waitFor()
    await find.press('Escape')
    await current.waitFor({ state: 'detached' })
  })

  test('is shown in parts if it is a single text, and around a hit', async () => {
    const page = await open('long', { dark: true })
    const text = result(page).locator('.json-text')
    await text.waitFor()
    expect((await text.innerText()).length).toBeLessThan(3_000)
    await result(page).getByRole('searchbox').fill('needle')
    await result(page).getByRole('status').getByText('1', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await result(page).locator('mark.current').waitFor()
    expect((await text.innerText()).length).toBeLessThan(3_000)
    await viewer.look(page, 'json-long-dark')
  })
})
