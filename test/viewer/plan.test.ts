import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, ROLES, type Role } from '../../src/semconv/index.js'
import type { PlanJson } from '../../src/wire/index.js'
import { askFailed, askPlans, askRiskiest, askSpan, askStructure, pathOf } from './support/ask.js'
import { longPlan } from './support/long-plan.js'
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

describe('a plan', () => {
  test('shows why it failed, two actions after the list', async () => {
    const page = await viewer.open('/plans?state=failed&workflow=code-change')
    await page.getByRole('link', { name: failed.title!, exact: true }).first().click()
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('e')
    const { spans } = await askStructure(viewer, failed)
    const cause = new URL(page.url()).searchParams.get('span')!
    const { statusMessage } = await askSpan(viewer, failed, cause)
    expect(spans.find(([id]) => id === cause)?.[8]).toBe(true)
    await page.getByRole('complementary', { name: 'Detail' }).getByText(statusMessage).waitFor()
    await viewer.look(page, 'plan-failed')
  })

  test('shows its agents while the spans of a long plan are still loading', async () => {
    const spans = longPlan({ steps: 5, cycles: 2_500 })
    await viewer.send(spans)
    const page = await viewer.open('/plans?state=failed')
    let giveRest = (): void => {}
    const rest = new Promise<void>((resolve) => (giveRest = resolve))
    await page.route(/fields=outline/, async (route) => {
      await rest
      await route.continue()
    })
    await page.goto(new URL('/plans/plan-long?view=tree', viewer.url).href)
    const [items, figures] = [page.getByRole('treeitem'), page.getByRole('group', { name: 'Figures' })]
    await expect.poll(() => items.count()).toBe(6)
    expect(await figures.textContent()).not.toContain('Spans')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    giveRest()
    await figures.getByText(spans.length.toLocaleString('en-US'), { exact: true }).waitFor()
    // The selection made meanwhile remains, and the path to the failure is open.
    expect(await page.getByRole('treeitem', { selected: true }).getAttribute('aria-level')).toBe('2')
    await expect.poll(() => items.count()).toBeGreaterThan(6)
  })

  test('is open to its first failure, and opens and folds by clicks and keys', async () => {
    const page = await viewer.open(`${pathOf(failed)}&view=tree`)
    const items = page.getByRole('treeitem')
    await items.first().waitFor()
    expect(await page.getByRole('treeitem', { name: /^Tool call.*failed/ }).count()).toBeGreaterThan(0)
    const before = await items.count()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => items.count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => items.count()).toBe(before)
    const closed = page.getByRole('treeitem', { expanded: false }).first()
    await closed.locator('.fold').click()
    await expect.poll(() => items.count()).toBeGreaterThan(before)
    await page.keyboard.press('-')
    await expect.poll(() => items.count()).toBe(before)
    const { spans } = await askStructure(viewer, failed)
    await page.keyboard.press('+')
    await expect.poll(() => items.count()).toBe(spans.length)
  })

  test('keeps its selection across views, in the URL', async () => {
    const page = await viewer.open(`${pathOf(risky)}&view=tree`)
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('r')
    const selected = page.getByRole('treeitem', { selected: true })
    const id = await selected.getAttribute('id')
    await viewer.look(page, 'plan-risky')
    await page.keyboard.press(']')
    await page.waitForURL(/view=waterfall/)
    expect(await selected.getAttribute('id')).toBe(id)
    await viewer.look(page, 'waterfall')
    await page.reload()
    await selected.waitFor()
    expect(await selected.getAttribute('id')).toBe(id)
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Detail' }).waitFor({ state: 'detached' })
  })

  test('is zoomed on its time axis, and can be reset', async () => {
    const page = await viewer.open(`${pathOf(risky)}&view=waterfall`, { dark: true })
    await page.getByRole('treeitem').first().waitFor()
    await viewer.look(page, 'waterfall-dark')
    const axis = (await page.locator('.axis').boundingBox())!
    await page.mouse.move(axis.x + axis.width * 0.25, axis.y + 10)
    await page.mouse.down()
    await page.mouse.move(axis.x + axis.width * 0.5, axis.y + 10)
    await page.mouse.up()
    const ticks = () => page.locator('.tick').allInnerTexts()
    await page.getByRole('button', { name: 'Show all' }).waitFor()
    const zoomed = await ticks()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(ticks).not.toEqual(zoomed)
    expect((await ticks())[0]).toBe('0')
  })

  test('offers its record for download, byte for byte', async () => {
    const page = await viewer.open(pathOf(failed))
    await page.getByRole('treeitem').first().waitFor()
    await page.getByText('Record', { exact: true }).click()
    await viewer.look(page, 'plan-record-menu')
    await page.getByRole('button', { name: 'Copy the record: As it is' }).click()
    await page.getByText('Record copied').waitFor()
    const record = await (await fetch(`${viewer.url}/api/records/${failed.planId}`)).text()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(record)
    for (const [dialect, name] of [
      ['trajectory', 'trajectory.json'],
      ['plan-act:events', 'plan-act.events.jsonl'],
      ['plan-act:sse', 'plan-act.sse.txt'],
    ]) {
      await page.getByText('Record', { exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download the record: ${dialect}`, exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${failed.planId}.${name}`)
    }
  })

  test.each([360, 768, 2560])('fits a screen %d pixels wide', async (width) => {
    const page = await viewer.open(`${pathOf(failed)}&view=tree`, { width, height: width === 360 ? 740 : 1000 })
    await page.getByRole('treeitem').first().waitFor()
    await viewer.look(page, `plan-${width}`)
    await page.keyboard.press('e')
    await page.getByRole('complementary', { name: 'Detail' }).locator('.failure').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `plan-${width}-detail`)
  })

  test('is requested once, before its script is loaded', async () => {
    const page = await viewer.open(pathOf(failed))
    await page.getByRole('treeitem').first().waitFor()
    const asked = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.includes('fields=outline')).map(({ initiatorType }) => initiatorType)`,
    )
    expect(asked).toEqual(['link'])
  })

  test('reports that it is not stored', async () => {
    const page = await viewer.open('/plans/plan-nobody-has')
    await page.getByRole('heading', { name: 'This plan cannot be shown' }).waitFor()
    await page.getByText('is stored').waitFor()
    await viewer.look(page, 'plan-unknown')
  })
})

/** The attribute that the detail of each role has to show. */
const SHOWN: Readonly<Partial<Record<Role, string>>> = {
  plan: ATTR.planSummary,
  planning: ATTR.planSteps,
  wait: ATTR.waitTitle,
  agent: ATTR.agentDescription,
  llm: ATTR.outputMessages,
  guardrail: ATTR.riskExplanation,
  tool: ATTR.toolCallArguments,
}

describe('the detail', () => {
  test.each(ROLES)('of a span of the role %s shows the most important values first', async (role) => {
    const attribute = SHOWN[role]
    for (const plan of await askPlans(viewer, 'limit=100')) {
      const { spans } = await askStructure(viewer, plan)
      for (const [spanId, , other] of spans) {
        if (other !== role) continue
        const { attributes } = await askSpan(viewer, plan, spanId)
        if (attribute !== undefined && attributes[attribute] === undefined) break
        const page = await viewer.open(`${pathOf(plan)}&span=${spanId}`)
        const detail = page.getByRole('complementary', { name: 'Detail' })
        await detail.getByText('Attributes,').waitFor()
        if (attribute !== undefined) {
          const words = /[\p{L}]{4,}/u.exec(
            attributes[attribute]!.replaceAll(/"(?:role|parts|type|content|text)"/g, ''),
          )!
          expect(await detail.innerText()).toContain(words[0])
        }
        await viewer.look(page, `detail-${role}`)
        await detail.getByText('Attributes,').click()
        await detail.getByLabel('Find in keys and values').fill('planspan.span.kind')
        expect(await detail.locator('.attributes dt').allInnerTexts()).toEqual([ATTR.spanKind])
        await page.close()
        return
      }
    }
    throw new Error(`No plan has a span of the role ${role} with ${attribute ?? 'any attribute'}.`)
  })
})
