import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import type { PlanJson } from '../../src/wire/index.js'
import { wholeLife } from '../support/plan-life.js'
import { askFailed, askRiskiest, pathOf } from './support/ask.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
let failed: PlanJson
let risky: PlanJson

beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 120)
  failed = await askFailed(viewer)
  risky = await askRiskiest(viewer)
})
afterAll(() => viewer.close())

async function open(path: string, options = {}): Promise<Page> {
  const page = await viewer.open(path, options)
  await page.getByRole('treeitem').first().waitFor()
  return page
}

const field = (page: Page) => page.getByRole('searchbox', { name: 'Find in this plan' })
const findCount = (page: Page) => page.locator('.find-count').innerText()
const selected = (page: Page) => page.getByRole('treeitem', { selected: true })

/** The ids of the spans that contain a text, from the server. */
async function askMatches({ planId, traceId }: PlanJson, text: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ trace: traceId, text })
  const response = await fetch(
    `${viewer.url}/api/records/${encodeURIComponent(planId)}/spans/matches?${query.toString()}`,
  )
  return ((await response.json()) as { spans: string[] }).spans
}

/** A part of a tool's result that no row shows. */
const BURIED = 'only the ferry goes there'

describe('the search inside a plan', () => {
  test('finds a text in names and messages, and steps from match to match by keys', async () => {
    const page = await open(pathOf(failed))
    const ids = await askMatches(failed, 'test')
    expect(ids.length).toBeGreaterThan(2)
    await page.keyboard.press('/')
    await page.keyboard.type('test')
    await expect.poll(() => findCount(page)).toBe(`${ids.length} matches`)
    expect(new URL(page.url()).searchParams.get('find')).toBe('test')
    await page.keyboard.press('Enter')
    await expect.poll(() => findCount(page)).toBe(`1 of ${ids.length}`)
    await field(page).blur()
    const seen = new Set([await selected(page).getAttribute('id')])
    for (let at = 2; at <= ids.length; at++) {
      await page.keyboard.press('n')
      await expect.poll(() => findCount(page)).toBe(`${at} of ${ids.length}`)
      seen.add(await selected(page).getAttribute('id'))
    }
    expect([...seen].toSorted()).toEqual(ids.map((id) => `span-${id}`).toSorted())
    await viewer.look(page, 'search')
    await page.keyboard.press('n')
    await expect.poll(() => findCount(page)).toBe(`1 of ${ids.length}`)
    await page.keyboard.press('N')
    await expect.poll(() => findCount(page)).toBe(`${ids.length} of ${ids.length}`)
    await page.keyboard.press('Escape')
    await page.locator('.span-row.match').first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('find')).toBe(false)
  })

  test('finds text that no row shows, opens the path to it, and marks folded branches that contain it', async () => {
    const life = wholeLife({ planId: 'plan-ferry', traceId: 'f'.repeat(32), begin: Date.now() - 5_000 })
    const rows = life.rows.map((row) =>
      row.attributes[ATTR.toolCallResult] === undefined
        ? row
        : { ...row, attributes: { ...row.attributes, [ATTR.toolCallResult]: `${'x '.repeat(2_000)}${BURIED}` } },
    )
    await viewer.send(rows)
    const page = await open(`/plans/plan-ferry?view=tree&find=${encodeURIComponent('ONLY the ferry')}`)
    await expect.poll(() => findCount(page)).toBe('2 matches')
    expect(await page.locator('.span-row.match').count()).toBe(0)
    expect(await page.locator('.matches-below').allInnerTexts()).toEqual([
      expect.stringContaining('1'),
      expect.stringContaining('1'),
    ])
    await page.keyboard.press('n')
    await page.locator('.span-row.match.selected').waitFor()
    await page.getByRole('complementary', { name: 'Detail' }).waitFor()
  })

  test('finds errors, risks, and slow or costly spans, and shows their numbers on the buttons', async () => {
    const page = await open(`${pathOf(failed)}&view=waterfall`, { dark: true })
    for (const kind of ['errors', 'slow', 'costly']) {
      const button = page.getByRole('button', { name: new RegExp(`^${kind} \\d`) })
      const count = Number(/\d+/.exec(await button.innerText())![0])
      expect(count).toBeGreaterThan(0)
      await button.click()
      await expect.poll(() => findCount(page)).toBe(count === 1 ? '1 match' : `${count} matches`)
      expect(new URL(page.url()).searchParams.get('only')).toBe(kind)
      await page.keyboard.press('n')
      await expect.poll(() => findCount(page)).toBe(`1 of ${count}`)
      await viewer.look(page, `search-${kind}-dark`)
      await button.click()
    }
    await page.close()
    const other = await open(`${pathOf(risky)}&only=risky`)
    await other.getByRole('button', { name: /^risky \d/, pressed: true }).waitFor()
    await other.keyboard.press('n')
    await expect.poll(() => findCount(other)).toMatch(/^1 of /)
    await other.close()
  })

  test('narrows a kind by a text, and reports if nothing is found', async () => {
    const page = await open(`${pathOf(failed)}&only=costly&find=nobody-said-this`)
    await page.getByText('No match').waitFor()
    await page.keyboard.press('n')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Close the search' }).click()
    await page.getByText('No match').waitFor({ state: 'detached' })
  })

  test.each([360, 768, 2560])('fits a screen %d pixels wide', async (width) => {
    const ids = await askMatches(failed, 'test')
    const page = await open(`${pathOf(failed)}&find=test`, { width, height: width === 360 ? 740 : 1000 })
    await expect.poll(() => findCount(page)).toBe(`${ids.length} matches`)
    await page.keyboard.press('n')
    await expect.poll(() => findCount(page)).toBe(`1 of ${ids.length}`)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `search-${width}`)
  })
})
