import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { wholeLife } from '../support/plan-life.js'
import { askFacets, askPlans, askTotals } from './support/ask.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

const PLANS = 260
let viewer: Viewer

beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, PLANS)
})
afterAll(() => viewer.close())

describe('the list', () => {
  test('shows the newest plans first, with their counts', async () => {
    const page = await viewer.open('/')
    const [newest] = await askPlans(viewer, 'limit=1')
    const { facets } = await askFacets(viewer)
    const row = page.getByRole('row').nth(1)
    await row.waitFor()
    expect(new URL(page.url()).pathname).toBe('/plans')
    expect(await row.innerText()).toContain(newest!.title ?? newest!.request)
    await page.getByText(`${PLANS} plans`).waitFor()
    for (const { value, plans } of facets.state) {
      await page.getByRole('button', { name: `${value} ${plans}`, exact: true }).waitFor()
    }
    await viewer.look(page, 'list')
  })

  test('shows a plan’s progress, its failures and the unsafe actions that were taken', async () => {
    const plans = await askPlans(viewer, `limit=${PLANS}`)
    const stuck = plans.find((plan) => plan.failures > 0 && plan.stepCount > 1 && plan.state === 'failed')!
    const taken = plans.find(({ unsafeTaken }) => unsafeTaken > 0)!
    const open = async (traceId: string) => {
      const page = await viewer.open(`/plans?trace=${traceId}`)
      await page.getByRole('row').nth(1).waitFor()
      return page
    }
    const page = await open(stuck.traceId)
    const row = page.getByRole('row').nth(1)
    await row.getByRole('img', { name: `${stuck.stepsCompleted} of ${stuck.stepCount} steps completed` }).waitFor()
    expect(await row.locator('.step-cells > *').count()).toBe(stuck.stepCount)
    expect(await row.innerText()).toContain(stuck.currentStep)
    expect(await row.locator('.c-failures').innerText()).toBe(`✕ ${stuck.failures}`)
    const [fault] = stuck.headline
    expect(await row.locator('.remark').first().innerText()).toBe(fault!.text)
    await row.getByRole('link').first().click()
    expect(await page.locator('.plan-headline .remark').first().innerText()).toBe(fault!.text)
    const failed = page.locator('.facts div', { has: page.getByText('Failed', { exact: true }) })
    expect(await failed.locator('dd').innerText()).toBe(String(stuck.failures))
    await page.close()
    const other = await open(taken.traceId)
    await other.getByRole('link', { name: `${taken.unsafeTaken} unsafe` }).waitFor()
    const remark = taken.headline.find(({ kind }) => kind === 'unsafe')!
    await other.getByRole('link', { name: remark.text }).click()
    await other.waitForURL((url) => url.searchParams.get('span') === remark.spanId)
    await other.close()
  })

  test('loads more pages as it is scrolled, with few rows drawn', async () => {
    const page = await viewer.open('/plans')
    const table = page.getByRole('table')
    await page.getByRole('row').nth(1).waitFor()
    const oldest = (await askPlans(viewer, `limit=${PLANS}`)).at(-1)!
    const last = page.locator(`[aria-rowindex="${PLANS + 1}"]`)
    await expect
      .poll(
        async () => {
          await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
          return last.count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    expect(await last.getByRole('link').first().getAttribute('href')).toContain(encodeURIComponent(oldest.planId))
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    expect(await table.getAttribute('aria-rowcount')).toBe(String(PLANS + 1))
  })

  test('is filtered by a click on a value, and the URL contains the filter', async () => {
    const page = await viewer.open('/plans')
    const { plans } = await askFacets(viewer, 'state=failed')
    await page.getByRole('button', { name: /^failed \d+$/ }).click()
    await page.getByText(`${plans} plans`).waitFor()
    expect(new URL(page.url()).search).toBe('?state=failed')
    const states = async () => [...new Set(await page.locator('.c-state .state').allInnerTexts())]
    await expect.poll(states).toEqual(['failed'])
    await viewer.look(page, 'list-filtered')
    await page.reload()
    await page.getByText(`${plans} plans`).waitFor()
    await page.getByRole('button', { name: 'Remove the filter State failed' }).click()
    await page.getByText(`${PLANS} plans`).waitFor()
    await page.goBack()
    await page.getByText(`${plans} plans`).waitFor()
  })

  test('is searched by text and sorted by a column', async () => {
    const page = await viewer.open('/plans')
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('parcel')
    const { plans } = await askFacets(viewer, 'text=parcel')
    await page.getByText(`${plans} plans`).waitFor()
    await page.getByRole('columnheader').getByRole('button', { name: 'Tokens' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?text=parcel&sort=tokens')
    const [most] = await askPlans(viewer, 'text=parcel&sort=tokens&limit=1')
    const first = page.getByRole('row').nth(1).getByRole('link').first()
    await expect.poll(() => first.getAttribute('href')).toContain(encodeURIComponent(most!.planId))
  })

  test('shows totals that lead to their plans, and their course, by which a time is selected', async () => {
    const page = await viewer.open('/plans')
    const { failed, plans, course, bucketMs } = await askTotals(viewer)
    const totals = page.getByRole('region', { name: 'Totals' })
    const first = { since: course[0]!.start, until: new Date(Date.parse(course[1]!.start)).toISOString() }
    const figure = (measure: string) => totals.locator(`[data-measure="${measure}"] .number`)
    await expect.poll(() => figure('plans').innerText()).toBe(String(plans))
    expect(Date.parse(first.until) - Date.parse(first.since)).toBeGreaterThanOrEqual(bucketMs)
    const slider = totals.getByRole('slider')
    await slider.focus()
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key)
    await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe(first.since)
    await expect.poll(() => figure('plans').innerText()).toBe(String(course[0]!.plans))
    await page.goBack()
    const box = (await slider.boundingBox())!
    await page.mouse.move(box.x + 1, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 1, box.y + 5)
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe(first.since)
    await expect.poll(() => figure('failed').innerText()).toBe(String(failed))
    await figure('failed').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('failed')
    await page.getByText(`${failed} plans`).waitFor()
  })

  test('keeps hidden columns, widths and named views in the browser', async () => {
    const page = await viewer.open('/plans?state=failed', { width: 1280, height: 800 })
    const header = (name: string) => page.getByRole('columnheader', { name })
    await header('Tokens').waitFor()
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Tokens' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('separator', { name: 'Width of Steps' }).focus()
    const width = async () => (await header('Steps').boundingBox())!.width
    const before = await width()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(width).toBeCloseTo(before + 8, 0)
    await page.getByText('Views', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of this view' }).fill('broken')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('broken')
    await page.goto(`${viewer.url}/plans`)
    await header('Steps').waitFor()
    expect(await header('Tokens').count()).toBe(0)
    expect(await width()).toBeCloseTo(before + 8, 0)
    await page.getByText('Views', { exact: true }).click()
    await page.getByRole('link', { name: 'broken' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('failed')
  })

  test('suggests a filter to remove if nothing is found', async () => {
    const page = await viewer.open('/plans?text=nobody-said-this&state=failed')
    await page.getByRole('heading', { name: 'No plan matches these filters' }).waitFor()
    await viewer.look(page, 'list-nothing-found')
    await page.getByRole('button', { name: 'Text nobody-said-this', exact: true }).click()
    await page.getByRole('row').nth(1).waitFor()
  })

  test('can be navigated by keyboard only', async () => {
    const page = await viewer.open('/plans')
    await page.getByRole('row').nth(1).waitFor()
    const [, second] = await askPlans(viewer, 'limit=2')
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL((url) => url.pathname.startsWith('/plans/'))
    expect(decodeURIComponent(page.url())).toContain(second!.planId)
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await viewer.look(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('keeps its place while a plan is open, and starts at the top after a filter changes', async () => {
    const page = await viewer.open('/plans')
    const list = page.getByRole('table')
    const at = (index: number) => page.locator(`a[data-index="${index}"]`)
    await at(0).waitFor()
    const scrolled = async () => {
      await list.evaluate((element) => element.scrollTo(0, 8_000))
      return at(155).count()
    }
    await expect.poll(scrolled).toBe(1)
    await at(155).click()
    await page.getByRole('treeitem').first().waitFor()
    await page.goBack()
    await expect.poll(() => at(155).evaluate((link) => link.matches(':focus'))).toBe(true)
    expect(await list.evaluate((element) => element.scrollTop)).toBe(8_000)
    const { plans } = await askFacets(viewer, 'state=failed')
    await page.getByRole('button', { name: /^failed \d+$/ }).click()
    await page.getByText(`${plans} plans`).waitFor()
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(0)
    const [first] = await askPlans(viewer, 'state=failed&limit=1')
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL((url) => url.pathname.startsWith('/plans/'))
    expect(decodeURIComponent(page.url())).toContain(first!.planId)
  })

  test('shows times in UTC or in the reader’s time zone, and has a dark theme', async () => {
    const page = await viewer.open('/plans', { dark: true })
    await page.getByRole('row').nth(1).waitFor()
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const dark = await ground()
    await viewer.look(page, 'list-dark')
    await page.getByRole('button', { name: /Colors/ }).click()
    expect(await ground()).not.toBe(dark)
    await page.getByRole('button', { name: /switch to UTC/ }).click()
    await page.getByRole('button', { name: /switch to local time/ }).waitFor()
  })

  test.each([360, 768, 2560])('fits a screen %d pixels wide', async (width) => {
    const page = await viewer.open('/plans', { width, height: width === 360 ? 740 : 1000 })
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `list-${width}`)
    if (width === 360) {
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByRole('complementary', { name: 'Filters' }).waitFor()
      await viewer.look(page, 'list-360-filters')
    }
  })

  test('announces new plans, and shows them on request', async () => {
    const page = await viewer.open('/plans')
    const first = page.getByRole('row').nth(1)
    await first.waitFor()
    const before = await first.innerText()
    await viewer.send(
      wholeLife({ planId: 'plan-new', traceId: 'a'.repeat(32), begin: Date.now() - 2_000 }).rows.slice(0, 6),
    )
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await first.innerText()).toBe(before)
    await viewer.look(page, 'list-new')
    await page.keyboard.press('.')
    await expect.poll(() => first.innerText()).toContain('A day in Rome')
    await viewer.send(wholeLife({ planId: 'plan-new', traceId: 'a'.repeat(32), begin: Date.now() - 2_000 }).rows)
    await expect.poll(() => first.innerText()).toContain('completed')
  })
})
