import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { PlanLife } from '../support/plan-life.js'
import { longPlan } from './support/long-plan.js'
import { plannedTrip } from './support/planned-trip.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  await viewer.send(plannedTrip({ planId: 'plan-trip', traceId: '7'.repeat(32), begin: Date.now() - 180_000 }))
})
afterAll(() => viewer.close())

const stepsIn = (page: Page) => page.getByRole('treeitem', { name: /^Step \d/ })
const cells = (page: Page) => page.locator('.cell')
const selected = (page: Page) => page.getByRole('treeitem', { selected: true })

async function openTrip(query = '', options?: Parameters<Viewer['open']>[1]): Promise<Page> {
  const page = await viewer.open(`/plans/plan-trip${query}`, options)
  await stepsIn(page).first().waitFor()
  return page
}

describe('the steps of a plan', () => {
  test('are visible first, each with its state and its agent', async () => {
    const page = await openTrip()
    await page.getByRole('link', { name: 'Plan', exact: true }).and(page.locator('[aria-current]')).waitFor()
    const reported = await stepsIn(page).evaluateAll((all) => all.map(({ textContent }) => textContent))
    expect(reported).toEqual([
      'Step 1Look for flights, completed',
      'Step 2Look for hotels near the main station×2, completed',
      'Step 3Book, waiting',
      'Step 4Send the tickets to all who travel, not started',
    ])
    await page.getByText('As planned, 2 of 4 done').waitFor()
    await page.getByText('No step requested this').waitFor()
    expect(await page.locator('.w-idle.hatched').allInnerTexts()).toEqual([
      expect.stringContaining('Rank'),
      expect.stringContaining('not started'),
    ])
    await viewer.look(page, 'steps')
  })

  test('are separated by the changes of each version, and the answers of reviewers and waits', async () => {
    const page = await openTrip()
    const marks = await page
      .locator('.mark-row, .note-row, .change-row, .step-head')
      .evaluateAll((all) =>
        all.map(({ textContent }) => (textContent ?? '').replaceAll(/\d+:\d+:\d+|[\d.]+ (?:ms|s|m)\b/g, '').trim()),
      )
    expect(marks).toEqual([
      expect.stringMatching(/^Version 1.*4 steps.*by planner/),
      expect.stringMatching(/^Changes wanted.*by Ada/),
      'SaidNo car, please: the trains are better.',
      expect.stringMatching(/^Version 2/),
      'WhyNo car, please: the trains are better.',
      expect.stringMatching(/dropped: .*Rent a car/),
      expect.stringMatching(/changed: .*Look for hotels→Look for hotels near the main station/),
      expect.stringMatching(/added: .*Send the tickets/),
      expect.stringMatching(/^Plan accepted.*by Ada/),
      expect.stringMatching(/^Step 1/),
      expect.stringMatching(/^Step 2/),
      expect.stringMatching(/^Step 3/),
      expect.stringMatching(/^Waits for a person to fill in a form.*Whose card may I use/),
      'QuestionThe booking needs a credit card.',
      expect.stringMatching(/^Step 4/),
    ])
  })

  test('show by each cell the outcome of a cycle, without a click', async () => {
    const page = await openTrip()
    const names = await cells(page).evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')))
    expect(names.map((name) => name?.replace(/, [^,]+$/, ''))).toEqual([
      'Cycle 1 of 4, search page 1, completed',
      'Cycle 2 of 4, search page 2, completed, a call failed',
      'Cycle 3 of 4, search page 3, completed',
      'Cycle 4 of 4, search page 4, completed',
      'Cycle 1 of 2, open map, completed, judged safe',
      'Cycle 2 of 2, pay a deposit, completed, taken although unsafe',
      'Cycle 1 of 1, completed',
      'Cycle 1 of 1, list, completed',
      'Cycle 1 of 2, fill in the form, completed, stopped',
      'Cycle 2 of 2, waiting',
      'Cycle 1 of 1, look at prices, completed',
    ])
  })

  test('select a clicked cell, and keep a selection from the tree', async () => {
    const page = await openTrip('', { width: 1360, height: 720 })
    await cells(page).nth(1).click()
    const detail = page.getByRole('complementary', { name: 'Detail' })
    await detail.getByText('search page 2').first().waitFor()
    await detail.getByText('Attributes,').waitFor()
    await viewer.look(page, 'steps-selected')
    await page.keyboard.press('e')
    await detail.getByText('The service did not answer.').waitFor()
    // The failed call is within the cycle.
    expect(await selected(page).getAttribute('aria-label')).toContain('Cycle 2 of 4')
    await page.getByRole('link', { name: 'Tree' }).click()
    await expect.poll(() => selected(page).innerText()).toContain('search page 2')
  })

  test('can be navigated by keyboard only', async () => {
    const page = await openTrip('?view=plan')
    const focus = async (key: string) => {
      await page.keyboard.press(key)
      const active = await page.getByRole('tree').getAttribute('aria-activedescendant')
      expect(await selected(page).getAttribute('id')).toBe(active)
      return (await selected(page).getAttribute('aria-label')) ?? (await selected(page).textContent())
    }
    expect(await focus('j')).toContain('Version 1')
    expect(await focus('ArrowDown')).toContain('Changes wanted')
    for (const _ of 'ab') await focus('j')
    expect(await focus('j')).toContain('flights')
    expect(await focus('ArrowRight')).toContain('Cycle 1 of 4')
    expect(await focus('ArrowRight')).toContain('Cycle 2 of 4')
    expect(await focus('ArrowLeft')).toContain('Cycle 1 of 4')
    expect(await focus('ArrowLeft')).toContain('flights')
    expect(await focus('k')).toContain('Plan accepted')
    await page.keyboard.press('?')
    await page.getByText('Next agent or mark').waitFor()
    expect(await page.getByText('Next span').count()).toBe(0)
  })

  test.each([360, 768, 2560])('fit a screen %d pixels wide', async (width) => {
    const page = await openTrip('', { width, height: width === 360 ? 1400 : 1000, dark: width === 768 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `steps-${width}`)
  })
})

test('a plan without steps opens as its tree, and explains that it has no steps', async () => {
  const life = new PlanLife({ planId: 'plan-bare', traceId: '8'.repeat(32), begin: Date.now() - 180_000 })
  await viewer.send([life.start('plan', 'plan')])
  const page = await viewer.open('/plans/plan-bare')
  await page.getByRole('link', { name: 'Tree', exact: true }).and(page.locator('[aria-current]')).waitFor()
  await page.getByRole('link', { name: 'Plan', exact: true }).click()
  await page.getByText('No steps, versions, reviews or waits are recorded').waitFor()
  await viewer.look(page, 'steps-none')
  await page.getByRole('link', { name: 'To its tree' }).click()
  await page.getByRole('treeitem').first().waitFor()
})

test('a plan’s steps grow while they are visible', async () => {
  const rows = plannedTrip({ planId: 'plan-growing', traceId: '9'.repeat(32), begin: Date.now() - 180_000 })
  const second = rows.findIndex(({ attributes }) => attributes[ATTR.planRevision] === 2)
  await viewer.send(rows.slice(0, 2))
  const page = await viewer.open('/plans/plan-growing')
  await page.getByText('being made').waitFor()
  await viewer.send(rows.slice(2, second))
  await stepsIn(page).first().waitFor()
  expect(await stepsIn(page).count()).toBe(4)
  await viewer.send(rows.slice(second))
  await page.getByText('Whose card may I use?', { exact: true }).waitFor()
  await expect.poll(() => cells(page).count()).toBe(11)
  await expect.poll(() => stepsIn(page).nth(2).textContent()).toContain('waiting')
})

test('500 steps and 10,000 cycles are folded to the available space', async () => {
  await viewer.send(longPlan({ steps: 500, cycles: 10_000 }))
  const page = await viewer.open('/plans/plan-long')
  await stepsIn(page).first().waitFor()
  const fold = page.locator('.ribbon-fold').first()
  await fold.waitFor()
  expect(await fold.getAttribute('aria-label')).toMatch(/^9,\d{3} more, 1 failed$/)
  expect(await page.getByRole('treeitem').count()).toBeLessThan(400)
  await viewer.look(page, 'steps-long')
  // The failure is in the fold until it is opened.
  await fold.click()
  await expect.poll(() => selected(page).getAttribute('aria-label')).toContain('Cycle 5001 of 10000')
  await viewer.look(page, 'steps-long-selected')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => selected(page).getAttribute('aria-label')).toContain('Cycle 5002 of 10000')
  await page.getByRole('tree').evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await page.getByRole('treeitem', { name: /^Step 500/ }).waitFor()
})
