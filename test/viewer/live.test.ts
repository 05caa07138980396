import { afterAll, beforeAll, expect, test } from 'vitest'

import { wholeLife } from '../support/plan-life.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
})
afterAll(() => viewer.close())

test('an empty store explains how to create a first plan, which then appears by itself', async () => {
  const page = await viewer.open('/')
  await page.getByRole('heading', { name: 'No plans yet' }).waitFor()
  await page.getByText(`endpoint = '${viewer.url}'`).waitFor()
  await viewer.look(page, 'list-empty')
  await page.setViewportSize({ width: 360, height: 740 })
  const right = async () => {
    const box = await page.getByRole('button', { name: 'Copy example' }).boundingBox()
    return box && box.x + box.width
  }
  await expect.poll(right).toBeLessThan(360)
  await viewer.look(page, 'list-empty-360')
  await viewer.send(wholeLife({ planId: 'plan-1', traceId: '1'.repeat(32), begin: Date.now() - 1_000 }).rows)
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('link', { name: 'A day in Rome' }).waitFor()
})

test('a plan grows as its spans arrive, and the selection stays', async () => {
  const { rows } = wholeLife({ planId: 'plan-2', traceId: '2'.repeat(32), begin: Date.now() - 1_000 })
  await viewer.send(rows.slice(0, 5))
  const page = await viewer.open('/plans/plan-2?view=tree')
  const items = page.getByRole('treeitem')
  await items.first().waitFor()
  const head = page.locator('.plan-title .state')
  expect(await head.innerText()).toBe('running')
  await page.getByRole('button', { name: 'Follow' }).waitFor()
  await page.keyboard.press('j')
  const before = await items.count()
  await viewer.send(rows.slice(5, 14))
  await expect.poll(() => items.count()).toBeGreaterThan(before)
  await viewer.look(page, 'plan-growing')
  await viewer.send(rows.slice(14, 20))
  await page.getByRole('treeitem', { name: /May I book/ }).waitFor()
  await viewer.send(rows.slice(20))
  await expect.poll(() => head.innerText()).toBe('completed')
  await page.getByRole('button', { name: 'Follow' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('treeitem', { selected: true }).getAttribute('aria-level')).toBe('1')
})

test('a waiting plan shows whom it waits for and since when', async () => {
  const { rows } = wholeLife({ planId: 'plan-3', traceId: '3'.repeat(32), begin: Date.now() - 1_000 })
  const waiting = rows.findIndex(({ name }) => name === 'wait_for_user')
  await viewer.send(rows.slice(0, waiting + 1))
  const page = await viewer.open('/plans/plan-3?view=waterfall')
  await page.getByRole('treeitem', { name: /May I book/ }).click()
  await page.getByText(/^Waits for a person/).waitFor()
  await viewer.look(page, 'plan-waiting')
})

test('when the server stops, the page reports it, keeps its content, and continues by itself', async () => {
  const page = await viewer.open('/plans')
  await page.getByRole('link', { name: 'A day in Rome' }).first().waitFor()
  await viewer.stopServer()
  await page.getByRole('alert').getByText('No connection to').waitFor()
  expect(await page.getByRole('link', { name: 'A day in Rome' }).count()).toBeGreaterThan(0)
  await page.getByRole('switch', { name: 'Live', checked: false }).waitFor()
  await viewer.look(page, 'list-no-server')
  await viewer.startServerAgain()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Live', checked: true }).waitFor()
  await viewer.send(wholeLife({ planId: 'plan-4', traceId: '4'.repeat(32), begin: Date.now() - 1_000 }).rows)
  await page.getByRole('button', { name: '1 new' }).waitFor()
})
