import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { otlpText } from '../support/foreign-traces.js'
import { askPlans } from './support/ask.js'
import { complaints } from './support/axe.js'
import { stories } from './support/stories.js'
import { startViewer, type Viewer } from './support/viewer.js'

/** A trace of another framework with a failed tool. */
const FOREIGN = 'vercel-ai/ai-sdk-v7-genai.otlp.json'
const ALL = stories()

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  await viewer.send(ALL.flatMap(({ spans }) => spans))
  const headers = { 'content-type': 'application/json' }
  await fetch(`${viewer.url}/v1/traces`, { method: 'POST', headers, body: otlpText(FOREIGN) })
})
afterAll(() => viewer.close())

/** The text of a page within the viewport, one line for each element. */
const VISIBLE = `(() => {
  const lines = []
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  let last
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    if (width < 2 || top >= innerHeight || bottom <= 0 || left >= innerWidth || right <= 0) continue
    const block = text.parentElement.closest('dt, dd, p, a, h1, .course-row, .span-row, .state')
    if (block === last) lines[lines.length - 1] += text.data
    else lines.push(text.data)
    last = block
  }
  return lines.join('\\n')
})()`

const WIDTHS = [1440, 1280, 390]

/** Opens a plan, and returns the visible text at each width. */
async function firstScreens(path: string, name: string): Promise<string[]> {
  const page = await viewer.open(path)
  await page.locator('.facts[aria-busy=false]').waitFor()
  await page.getByRole('treeitem').first().waitFor()
  await page.locator('.facts').getByText('Service', { exact: true }).waitFor({ state: 'attached' })
  const screens: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await viewer.look(page, `story-${name}-${width}`)
    screens.push(await page.evaluate<string>(VISIBLE))
  }
  expect(await complaints(page)).toEqual([])
  return screens
}

describe('the first screen answers without a click', () => {
  test.each(ALL)('why and what: $planId', async ({ planId, state, says }) => {
    for (const shown of await firstScreens(`/plans/${planId}`, planId)) {
      expect(shown).toContain(state)
      for (const text of says) expect(shown).toMatch(text)
    }
  })

  test('of a plan of another framework', async () => {
    const plan = (await askPlans(viewer, 'limit=100')).find(({ convention }) => convention !== null)
    for (const shown of await firstScreens(`/plans/${plan!.planId}?trace=${plan!.traceId}`, 'foreign')) {
      for (const { text } of plan!.headline) expect(shown).toContain(text)
    }
  })
})
