import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, type Role, spanName, type Span } from '../../src/semconv/index.js'
import type { PlanJson, StructureJson } from '../../src/wire/index.js'
import { livePlan } from '../server/live-plan.js'
import { wholeLife } from '../support/plan-life.js'
import { askFailed, askPlans, askStructure, pathOf } from './support/ask.js'
import { complaints } from './support/axe.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"'`

/** A plan of some agents that each call many tools, most of them once; all names contain a script. */
function widePlan(planId: string, { agents, tools }: { agents: number; tools: number }): Span[] {
  const [plan, agent, , tool] = livePlan({ traceId: 'e'.repeat(32), planId, subPlanId: '', stepId: 's' })
  const id = (number: number): string => number.toString(16).padStart(16, '0')
  return [
    { ...plan!, attributes: { ...plan!.attributes, [ATTR.planTitle]: SCRIPT } },
    ...Array.from({ length: agents }, (_, index): Span[] => [
      {
        ...agent!,
        spanId: id(1000 + index),
        name: spanName('agent', `${SCRIPT} ${index}`),
        attributes: { ...agent!.attributes, [ATTR.agentName]: `${SCRIPT} ${index}`, [ATTR.stepId]: `s-${index}` },
      },
      ...Array.from({ length: tools }, (_, call): Span => ({
        ...tool!,
        spanId: id(10_000 + index * tools + call),
        parentSpanId: id(1000 + index),
        name: spanName('tool', `${SCRIPT} ${(index * 7 + call) % 300}`),
        attributes: { ...tool!.attributes, [ATTR.toolName]: `${SCRIPT} ${(index * 7 + call) % 300}`, [ATTR.seq]: call },
      })),
    ]).flat(),
  ]
}

let viewer: Viewer
let trip: PlanJson
let failed: PlanJson

beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 60)
  const [first] = await askPlans(viewer, 'workflow=trip&state=completed&limit=1')
  trip = first!
  failed = await askFailed(viewer)
  await viewer.send(widePlan('plan-wide', { agents: 40, tools: 30 }))
})
afterAll(() => viewer.close())

/** The ids of a role's spans by their names. */
function byName({ spans }: StructureJson, wanted: Role): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [id, , role, name] of spans) {
    const named = name.split(' ')[1]!
    if (role === wanted) found.set(named, [...(found.get(named) ?? []), id])
  }
  return found
}

const openGraph = async (plan: PlanJson, options = {}): Promise<Page> => {
  const page = await viewer.open(`${pathOf(plan)}&view=graph`, options)
  await page.getByRole('option').first().waitFor()
  return page
}

describe('the graph of a plan', () => {
  test('shows its agents, tools and models with their calls when it is opened', async () => {
    const page = await viewer.open(pathOf(trip))
    await page.getByRole('treeitem').first().waitFor()
    const scripts = () => page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`)
    expect((await scripts()).filter((name) => name.includes('graph-view'))).toEqual([])
    await page.getByRole('link', { name: 'Graph' }).click()
    await page.getByRole('option').first().waitFor()
    expect((await scripts()).filter((name) => name.includes('graph-view')).length).toBeGreaterThan(0)
    const structure = await askStructure(viewer, trip)
    const calls = byName(structure, 'tool')
    expect(calls.size).toBeGreaterThan(2)
    for (const [name, ids] of calls) {
      await page.getByRole('option', { name: new RegExp(`^Tool call ${name} ${ids.length} calls? `) }).waitFor()
    }
    expect(await page.locator('.edge').count()).toBeGreaterThan(4)
    await viewer.look(page, 'graph')
  })

  test('selects the spans of a node one after the other, by clicks and keys', async () => {
    const page = await openGraph(trip)
    const structure = await askStructure(viewer, trip)
    const [model, ids] = [...byName(structure, 'llm')].find(([, { length }]) => length > 1)!
    const node = page.getByRole('option', { name: `Model call ${model}` })
    const span = () => new URL(page.url()).searchParams.get('span')
    await node.click()
    await expect.poll(span).toBe(ids[0])
    await node.click()
    await expect.poll(span).toBe(ids[1])
    await page.keyboard.press('k')
    await expect.poll(span).toBe(ids[0])
    expect(await node.getAttribute('aria-selected')).toBe('true')
    await page.getByRole('complementary', { name: 'Detail' }).getByText('Attributes,').waitFor()
    await viewer.look(page, 'graph-selected')
    await page.reload()
    await node.waitFor()
    const [area, box] = [(await page.getByRole('listbox').boundingBox())!, (await node.boundingBox())!]
    expect(box.x).toBeGreaterThan(area.x)
    expect(box.x + box.width).toBeLessThan(area.x + area.width)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => node.getAttribute('aria-selected')).toBe('false')
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1)
  })

  test('shows failures, and all calls as a table', async () => {
    const page = await openGraph(failed, { dark: true })
    await page.keyboard.press('e')
    await page.getByRole('option', { selected: true, name: /failed/ }).waitFor()
    await viewer.look(page, 'graph-failed-dark')
    await page.getByRole('button', { name: 'Table' }).click()
    const selected = page.locator('.graph-table .selected')
    expect(await selected.locator('.failures').count()).toBe(1)
    await viewer.look(page, 'graph-table')
    expect(await complaints(page)).toEqual([])
    await page.getByRole('button', { name: 'Table' }).click()
  })

  test('is moved and zoomed by pointer, wheel and keys, and can be reset', async () => {
    const page = await openGraph(trip)
    const place = () => page.locator('.world').getAttribute('style')
    const moves: [string, () => Promise<void>][] = [
      [
        'drag',
        async () => {
          await page.mouse.move(700, 800)
          await page.mouse.down()
          await page.mouse.move(640, 760, { steps: 3 })
          await page.mouse.up()
        },
      ],
      ['wheel', () => page.mouse.wheel(0, 50)],
      ['plus', () => page.keyboard.press('+')],
      [
        'shift and an arrow',
        async () => {
          await page.getByRole('listbox').focus()
          await page.keyboard.press('Shift+ArrowDown')
        },
      ],
      ['0', () => page.keyboard.press('0')],
    ]
    for (const [name, move] of moves) {
      const before = await place()
      await move()
      await expect.poll(place, { message: name }).not.toBe(before)
    }
    expect(new URL(page.url()).searchParams.get('span')).toBeNull()
  })

  test('of 40 agents and 300 tools is bounded, and renders no name as HTML', async () => {
    const [wide] = await askPlans(viewer, 'text=onerror&limit=1')
    const page = await openGraph(wide!)
    await page.getByRole('option', { name: '281 more tools' }).waitFor()
    await page.getByRole('option', { name: '25 more agents' }).waitFor()
    expect(await page.getByRole('option').count()).toBe(1 + 16 + 20)
    await viewer.look(page, 'graph-wide')
    expect(
      await page.evaluate<object>(
        `({ hacked: 'hacked' in window, images: document.images.length, handlers: document.querySelectorAll('[onerror]').length })`,
      ),
    ).toEqual({ hacked: false, images: 0, handlers: 0 })
  })

  test('grows with its plan, while its position and the selection stay', async () => {
    const { rows } = wholeLife({ planId: 'plan-growing', traceId: '2'.repeat(32), begin: Date.now() - 1_000 })
    await viewer.send(rows.slice(0, 5))
    const page = await viewer.open('/plans/plan-growing?view=graph')
    const nodes = page.getByRole('option')
    await nodes.first().click()
    const selected = await page.getByRole('option', { selected: true }).innerText()
    const before = await nodes.count()
    await viewer.send(rows.slice(5))
    await expect.poll(() => nodes.count()).toBeGreaterThan(before)
    await page.getByRole('option', { name: /A person/ }).waitFor()
    await page.locator('.going').waitFor({ state: 'detached' })
    expect((await page.getByRole('option', { selected: true }).innerText()).split('\n')[0]).toBe(
      selected.split('\n')[0],
    )
    await viewer.look(page, 'graph-grown')
  })

  test.each([360, 768, 2560])('fits a screen %d pixels wide, and has no axe problems', async (width) => {
    const page = await openGraph(trip, { width, height: width === 360 ? 740 : 1000 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await viewer.look(page, `graph-${width}`)
    expect(await complaints(page)).toEqual([])
  })
})
