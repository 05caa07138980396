import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, type Span } from '../../src/semconv/index.js'
import type { ComparisonJson, PlanJson } from '../../src/wire/index.js'
import { livePlan } from '../server/live-plan.js'
import { askPlans, pathOf } from './support/ask.js'
import { complaints } from './support/axe.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

const CALLS = 10_000
const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"'`

/** A plan with many calls; every tenth has different arguments. */
function largePlan(name: string, digit: string): Span[] {
  const [plan, agent, cycle, tool] = livePlan({ traceId: digit.repeat(32), planId: name, subPlanId: '', stepId: 's' })
  const calls = Array.from({ length: CALLS }, (_, call): Span => ({
    ...tool!,
    spanId: (call + 100).toString(16).padStart(16, '0'),
    attributes: {
      ...tool!.attributes,
      [ATTR.seq]: String(call),
      [ATTR.toolCallId]: `call-${call}`,
      [ATTR.toolCallArguments]: JSON.stringify({ call, ...(call % 10 === 0 && { name }) }),
    },
  }))
  return [plan!, agent!, cycle!, ...calls]
}

/** A plan with a script in every text. */
function hostilePlan(name: string, digit: string): Span[] {
  return livePlan({ traceId: digit.repeat(32), planId: name, subPlanId: `${name}-sub`, stepId: 's' }).map((span) => {
    const kind = span.attributes[ATTR.spanKind]
    const own = { ...span.attributes, [ATTR.planTitle]: SCRIPT, [ATTR.agentName]: SCRIPT }
    const call = { [ATTR.toolName]: `${SCRIPT}${name}`, [ATTR.toolCallArguments]: JSON.stringify({ [SCRIPT]: name }) }
    return {
      ...span,
      statusCode: 'ERROR',
      statusMessage: `${SCRIPT}${name}`,
      attributes: kind === 'tool' ? { ...own, ...call } : own,
    }
  })
}

let viewer: Viewer
let older: PlanJson
let newer: PlanJson

beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 120)
  const [first, second] = await askPlans(viewer, 'workflow=trip&limit=2')
  newer = first!
  older = second!
  for (const [name, digit] of [
    ['large-a', 'a'],
    ['large-b', 'b'],
  ] as const) {
    const spans = largePlan(name, digit)
    for (let at = 0; at < spans.length; at += 2000) await viewer.send(spans.slice(at, at + 2000))
  }
  for (const [name, digit] of [
    ['hostile-a', 'c'],
    ['hostile-b', 'd'],
  ] as const) {
    await viewer.send(hostilePlan(name, digit))
  }
})
afterAll(() => viewer.close())

const idsOf = (...plans: Pick<PlanJson, 'planId'>[]): string =>
  plans.map(({ planId }) => `id=${encodeURIComponent(planId)}`).join('&')

const askComparison = async (query: string): Promise<ComparisonJson> =>
  (await (await fetch(`${viewer.url}/api/compare?${query}`)).json()) as ComparisonJson

describe('plans side by side', () => {
  test('show how much is equal, where they diverge, and how they differ', async () => {
    const { plans, comparisons } = await askComparison(idsOf(older, newer))
    const { counts, firstDivergence, rows } = comparisons[0]!
    const page = await viewer.open(`/compare?${idsOf(older, newer)}`)
    const differing = page.getByRole('region', { name: 'Differences' })
    for (const text of [
      `${counts.same} the same`,
      `${counts.changed} changed`,
      `${counts.base} only in A`,
      `${counts.other} only in B`,
      firstDivergence!.base,
    ]) {
      await differing.getByText(text, { exact: true }).waitFor()
    }
    const totals = page.getByRole('group', { name: 'Totals' }).getByRole('row')
    expect(await totals.nth(1).innerText()).toContain(plans[0]!.title)
    expect(await totals.count()).toBe(3)
    expect(await page.getByRole('row').filter({ hasText: 'only in' }).count()).toBeGreaterThan(0)
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(rows.length + 1))
    await viewer.look(page, 'compare')
  })

  test('are stepped through difference by difference, and link to the span in its plan', async () => {
    const { rows } = (await askComparison(idsOf(older, newer))).comparisons[0]!
    const differing = rows.flatMap(({ kind }, index) => (kind === 'same' || kind === 'within' ? [] : [index]))
    const page = await viewer.open(`/compare?${idsOf(older, newer)}`)
    const selected = page.locator('.pair-row.selected')
    await page.getByRole('grid').waitFor()
    for (const index of differing.slice(0, 3)) {
      await page.keyboard.press('n')
      await expect.poll(() => selected.getAttribute('id')).toBe(`pair-${index}`)
    }
    await page.keyboard.press('N')
    await expect.poll(() => selected.getAttribute('id')).toBe(`pair-${differing[1]}`)
    await page.keyboard.press('N')
    await page.keyboard.press('N')
    await expect.poll(() => selected.getAttribute('id')).toBe(`pair-${differing.at(-1)}`)
    await viewer.look(page, 'compare-detail')
    const last = rows[differing.at(-1)!]!
    await page.keyboard.press(last.base ? 'a' : 'b')
    await page.getByRole('complementary', { name: 'Detail' }).waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect(decodeURIComponent(pathname)).toBe(`/plans/${(last.base ? older : newer).planId}`)
    expect(searchParams.get('span')).toBe((last.base ?? last.other)!.spanId)
    await page.goBack()
    await expect.poll(() => selected.getAttribute('id')).toBe(`pair-${differing.at(-1)}`)
  })

  test('can be three, with one of them next to the first', async () => {
    const [third] = await askPlans(viewer, 'workflow=code-change&limit=1')
    const { comparisons } = await askComparison(idsOf(older, newer, third!))
    const page = await viewer.open(`/compare?${idsOf(older, newer, third!)}`, { dark: true })
    await page.getByRole('heading', { name: '3 plans side by side' }).waitFor()
    await page.getByRole('button', { name: 'Compare C with A' }).click()
    await page.getByText(`${comparisons[1]!.counts.other} only in C`, { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('with')).toBe('2')
    await viewer.look(page, 'compare-three-dark')
  })

  test('of 10,000 spans are read page by page, with few rows drawn', async () => {
    const page = await viewer.open('/compare?id=large-a&id=large-b')
    await page.getByText('1,000 changed').waitFor()
    const grid = page.getByRole('grid')
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
    expect(rows).toBeGreaterThan(2_000)
    await page.keyboard.press('N')
    const last = page.locator('.pair-row.selected')
    await last.getByText(`"large-a"`).waitFor()
    expect(Number((await last.getAttribute('aria-rowindex'))!)).toBeGreaterThan(rows - 2)
    expect(await page.getByRole('row').count()).toBeLessThan(100)
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await page.locator('.pair-row[data-kind=changed]').nth(2).waitFor()
    await viewer.look(page, 'compare-large')
  })

  test('show a script as text, in every text', async () => {
    const page = await viewer.open('/compare?id=hostile-a&id=hostile-b')
    await page.getByRole('grid').waitFor()
    for (let differences = 0; differences < 4; differences++) await page.keyboard.press('n')
    await page.getByRole('complementary', { name: 'Detail' }).getByText('<img src=x').first().waitFor()
    expect(
      await page.evaluate<object>(
        `({ hacked: 'hacked' in window, images: document.images.length, handlers: document.querySelectorAll('[onerror]').length })`,
      ),
    ).toEqual({ hacked: false, images: 0, handlers: 0 })
    await viewer.look(page, 'compare-hostile')
  })

  test.each([360, 768, 2560])('fit a screen %d pixels wide', async (width) => {
    const page = await viewer.open(`/compare?${idsOf(older, newer)}`, { width, height: width === 360 ? 740 : 1000 })
    await page.getByRole('grid').waitFor()
    await viewer.look(page, `compare-${width}`)
    await page.keyboard.press('n')
    await page.getByRole('complementary', { name: 'Detail' }).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `compare-${width}-detail`)
  })

  test('have no axe problems, light, dark and small', async () => {
    for (const options of [{}, { dark: true }, { width: 360, height: 740 }]) {
      const page = await viewer.open(`/compare?${idsOf(older, newer)}`, options)
      await page.getByRole('grid').waitFor()
      await page.keyboard.press('n')
      await page.getByRole('complementary', { name: 'Detail' }).waitFor()
      expect(await complaints(page)).toEqual([])
      await page.close()
    }
  })
})

describe('an impossible comparison', () => {
  test.each([
    ['one plan alone', 'id=plan-1', 'Which plans?'],
    ['no plan', '', 'Which plans?'],
    ['one plan twice', 'id=plan-1&id=plan-1', 'The same plan twice'],
    ['too many', Array.from({ length: 9 }, (_, index) => `id=${index}`).join('&'), 'Too many plans'],
    ['a plan that nobody has', 'id=nobody-1&id=nobody-2', 'These plans cannot be compared'],
  ])('explains what to do: %s', async (_, query, title) => {
    const page = await viewer.open(`/compare?${query}`)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await complaints(page)).toEqual([])
    await page.getByLabel('First plan').fill(older.planId)
    await page.getByLabel('Second plan').fill(newer.planId)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('grid').waitFor()
  })
})

describe('a comparison starts', () => {
  test('in the list, with plans marked by x or a click', async () => {
    const page = await viewer.open('/plans')
    await page.getByRole('row').nth(1).waitFor()
    for (const key of ['j', 'x']) await page.keyboard.press(key)
    await page.getByText('One plan is marked').waitFor()
    await page.getByRole('checkbox', { name: 'Mark to compare' }).nth(2).check()
    await viewer.look(page, 'list-marked')
    expect(await complaints(page)).toEqual([])
    const shown = await askPlans(viewer, 'limit=3')
    await page.getByRole('link', { name: 'Compare 2 plans' }).click()
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).searchParams.getAll('id')).toEqual([shown[0]!.planId, shown[2]!.planId])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear marks' }).click()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  })

  test('in a plan’s head, with the previous plan of its workflow or with an id', async () => {
    const page = await viewer.open(pathOf(newer))
    await page.getByRole('treeitem').first().waitFor()
    await page.getByText('Compare', { exact: true }).first().click()
    await page.getByRole('link', { name: /^With the previous plan/ }).waitFor()
    await viewer.look(page, 'plan-compare-menu')
    await page.getByRole('link', { name: /^With the previous plan/ }).click()
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).searchParams.getAll('id')).toEqual([older.planId, newer.planId])
    await page.goBack()
    await page.getByText('Compare', { exact: true }).first().click()
    await page.getByLabel('With the plan that has this id').fill('large-a')
    await page.keyboard.press('Enter')
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).searchParams.getAll('id')).toEqual(['large-a', newer.planId])
  })
})
