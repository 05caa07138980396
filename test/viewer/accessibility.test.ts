import { afterAll, beforeAll, expect, test } from 'vitest'

import { askFailed, pathOf } from './support/ask.js'
import { complaints } from './support/axe.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
let plan: string
beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 60)
  plan = pathOf(await askFailed(viewer))
})
afterAll(() => viewer.close())

test.each([
  ['the list', '/plans', []],
  ['the keys', '/plans', ['?']],
  ['nothing found', '/plans?text=nobody-said-this', []],
  ['a plan’s steps', 'PLAN', []],
  ['a plan’s steps with a detail', 'PLAN', ['e']],
  ['a tree', 'PLAN&view=tree', []],
  ['a tree with a detail', 'PLAN&view=tree', ['e']],
  ['a waterfall', 'PLAN&view=waterfall', ['e']],
  ['a search', 'PLAN&find=test', ['n']],
  ['an unknown plan', '/plans/plan-nobody-has', []],
  ['an unknown path', '/a/path/nobody-has', []],
])('axe reports no problems with %s, light, dark, forced and small', async (_, path, keys) => {
  for (const options of [{}, { dark: true }, { isForced: true }, { width: 360, height: 740 }]) {
    const page = await viewer.open(path.replace('PLAN', plan), options)
    await page.locator('.plan-row:not(.header), [role=treeitem], .nothing').first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
    if (keys.length > 0) await page.locator('dialog[open], .detail .folded').first().waitFor()
    expect(await complaints(page)).toEqual([])
    await page.close()
  }
})

/** The focused element of the page: its name, and whether it, its content or the field around it is outlined. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const styles = [getComputedStyle(element), getComputedStyle(element, '::after'), getComputedStyle(element.parentElement)]
  return {
    name: element.getAttribute('aria-label') ?? element.textContent ?? '',
    isSeen: styles.some(({ outlineStyle }) => outlineStyle !== 'none'),
  }
})()`

test('everything is reachable by keyboard, and the focus is visible', async () => {
  const page = await viewer.open('/plans')
  await page.getByRole('row').nth(1).waitFor()
  const seen = new Set<string>()
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUSED)
    if (focused.name !== '') expect(focused).toEqual({ name: focused.name, isSeen: true })
    seen.add(focused.name)
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(['Search in title, request, answer and errors', 'Live', 'Keys', 'Plans']),
  )
})
