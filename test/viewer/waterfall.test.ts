import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Span } from '../../src/semconv/index.js'
import type { PlanJson } from '../../src/wire/index.js'
import { resumedLife, wholeLife } from '../support/plan-life.js'
import { askFailed, askPlans, pathOf } from './support/ask.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

const BEGIN = Date.UTC(2026, 2, 4, 12)
const HOUR = 3_600_000

let viewer: Viewer
let large: PlanJson

beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 120)
  const [longest] = await askPlans(viewer, 'sort=tokens&limit=1')
  large = longest!
  const waited = wholeLife({ planId: 'plan-waited', traceId: 'a'.repeat(32), begin: BEGIN }).rows
  const asked = waited.find(({ name }) => name === 'wait_for_user')!.startTimeUnixNano
  await viewer.send(later(waited, asked, 76 * HOUR))
  const resumed = resumedLife({ planId: 'plan-resumed', traceId: 'b'.repeat(32), begin: BEGIN }).rows
  const plans = resumed.filter(({ name }) => name === 'invoke_workflow')
  const [, second, third] = [...new Set(plans.map(({ startTimeUnixNano }) => startTimeUnixNano))].toSorted()
  await viewer.send(later(later(resumed, third! - 1n, 30 * HOUR), second! - 1n, 5 * HOUR))
})
afterAll(() => viewer.close())

/** Rows with everything after a given time moved later. */
function later(rows: readonly Span[], after: bigint, ms: number): Span[] {
  const at = (time: bigint): bigint => (time > after ? time + BigInt(ms) * 1_000_000n : time)
  return rows.map((row) => ({
    ...row,
    startTimeUnixNano: at(row.startTimeUnixNano),
    endTimeUnixNano: at(row.endTimeUnixNano),
  }))
}

async function open(path: string, options = {}): Promise<Page> {
  const page = await viewer.open(path, options)
  await page.getByRole('treeitem').first().waitFor()
  return page
}

const boxOf = async (locator: Locator) => (await locator.boundingBox())!

describe('the waterfall', () => {
  test('folds a long wait to a break that shows its length', async () => {
    const page = await open('/plans/plan-waited?view=waterfall')
    await page.keyboard.press('+')
    expect(await page.locator('.break-length').allInnerTexts()).toEqual(['⋯ 3 d 4 h ⋯'])
    const axis = await boxOf(page.locator('.axis'))
    expect((await boxOf(page.locator('.break'))).width / axis.width).toBeCloseTo(1 / 12, 2)
    const tool = page.getByRole('treeitem', { name: /^Tool call/ }).last()
    // It took a hundredth of a second after three days.
    expect((await boxOf(tool.locator('.bar'))).width).toBeGreaterThan(axis.width / 50)
    expect(await page.locator('.tick').allInnerTexts()).toEqual(
      expect.arrayContaining(['0', expect.stringMatching(/^\+\d+ ms$/)]),
    )
    await page.getByRole('treeitem', { name: /May I book/ }).click()
    await viewer.look(page, 'waterfall-break')
  })

  test('separates the segments of a resumed plan', async () => {
    const page = await open('/plans/plan-resumed?view=waterfall', { dark: true })
    expect(await page.locator('.segment-number').allInnerTexts()).toEqual(['2', '3'])
    expect(await page.locator('.segment-line').count()).toBe(2)
    expect(await page.locator('.break-length').allInnerTexts()).toEqual(['⋯ 5 h ⋯', '⋯ 1 d 6 h ⋯'])
    await page.keyboard.press('+')
    await viewer.look(page, 'waterfall-segments-dark')
  })

  test('shows the time under the pointer, on both sides of a break', async () => {
    const page = await open('/plans/plan-waited?view=waterfall')
    const axis = await boxOf(page.locator('.axis'))
    const timeAt = async (share: number): Promise<string> => {
      await page.mouse.move(axis.x + axis.width * share, axis.y + 60)
      return page.locator('.pointer-time').innerText()
    }
    expect(await timeAt(0.002)).toMatch(/^\d+(\.\d)? ms 12:00:00$/)
    expect(await timeAt(0.99)).toMatch(/^3 d 4 h 16:00:0\d$/)
    await page.mouse.move(axis.x - 20, axis.y + 60)
    await page.locator('.pointer-time').waitFor({ state: 'detached' })
  })

  test('shows the whole plan above the zoomed part, which is dragged, resized and moved by keys', async () => {
    const page = await open(`${pathOf(large)}&view=waterfall`)
    const begin = page.getByRole('slider', { name: 'Start of the visible range' })
    const end = page.getByRole('slider', { name: 'End of the visible range' })
    const value = async (slider: Locator): Promise<number> => Number(await slider.getAttribute('aria-valuenow'))
    const whole = await value(end)
    expect(await value(begin)).toBe(0)
    const map = await boxOf(page.locator('.map'))
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(map.x + map.width * from, map.y + map.height / 2)
      await page.mouse.down()
      await page.mouse.move(map.x + map.width * to, map.y + map.height / 2, { steps: 4 })
      await page.mouse.up()
    }
    await drag(0.25, 0.5)
    expect((await value(begin)) / whole).toBeCloseTo(0.25, 1)
    expect((await value(end)) / whole).toBeCloseTo(0.5, 1)
    await viewer.look(page, 'waterfall-minimap')
    await drag(0.4, 0.6)
    expect((await value(begin)) / whole).toBeCloseTo(0.45, 1)
    expect((await value(end)) / whole).toBeCloseTo(0.7, 1)
    const edge = await boxOf(end)
    await drag((edge.x + edge.width / 2 - map.x) / map.width, 0.9)
    expect((await value(end)) / whole).toBeCloseTo(0.9, 1)
    const before = await value(begin)
    await begin.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await value(begin)).toBeLessThan(before)
    await page.getByRole('button', { name: 'Show all' }).click()
    expect([await value(begin), await value(end)]).toEqual([0, whole])
  })

  test('draws the activity on the minimap', async () => {
    const page = await open(`${pathOf(large)}&view=waterfall`, { dark: true })
    const drawn = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.map canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(data.buffer)).size
    })()`)
    expect(drawn).toBeGreaterThan(3)
    await viewer.look(page, 'waterfall-large-dark')
  })

  test('shows a cycle with one model call and one tool call as one line until it is opened', async () => {
    const page = await open(`${pathOf(await askFailed(viewer))}&view=tree`)
    const cycle = page
      .getByRole('treeitem', { name: /^Cycle/, expanded: false })
      .filter({ has: page.locator('.calls') })
      .first()
    const inLine = await cycle.innerText()
    await cycle.click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const model = page.getByRole('treeitem', { selected: true })
    expect(inLine).toContain(await model.locator('.name').innerText())
  })

  test.each([360, 768, 2560])('fits a screen %d pixels wide', async (width) => {
    const page = await open('/plans/plan-waited?view=waterfall', { width, height: width === 360 ? 740 : 1000 })
    await page.keyboard.press('+')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `waterfall-break-${width}`)
  })
})
