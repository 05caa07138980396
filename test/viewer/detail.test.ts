import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, type Role, type Span } from '../../src/semconv/index.js'
import { livePlan } from '../server/live-plan.js'
import { startViewer, type Viewer } from './support/viewer.js'

/** A one-pixel image. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const TREE = "[1] RootWebArea 'Rome' focused: True\n\t[2] link 'Museums'"

const SAID: Partial<Record<Role, Span['attributes']>> = {
  think_act: { [ATTR.observationScreenshotUri]: PIXEL, [ATTR.observationA11yTree]: TREE },
  tool: { [ATTR.observationNextA11yTree]: TREE, [ATTR.actionReward]: 0.5 },
  agent: {
    [ATTR.inputMessages]: JSON.stringify(
      Array.from({ length: 25 }, (_, at) => ({ role: 'user', parts: [{ type: 'text', content: `Message ${at}` }] })),
    ),
    [ATTR.outputMessages]: JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: '[{"type":"message","content":"In JSON"}]' }] },
    ]),
  },
}

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  const rows = livePlan({ traceId: 'd'.repeat(32), planId: 'plan-above', subPlanId: 'plan-below', stepId: 'step' })
  await viewer.send(
    rows.map((row) => ({
      ...row,
      attributes: { ...row.attributes, ...SAID[row.attributes[ATTR.spanKind] as Role] },
    })),
  )
})
afterAll(() => viewer.close())

async function open(name: RegExp): Promise<Page> {
  const page = await viewer.open('/plans/plan-above')
  await page.getByRole('treeitem').first().waitFor()
  await page.keyboard.press('+')
  await page.getByRole('treeitem', { name }).click()
  await page.getByText('Attributes,').waitFor()
  return page
}

describe('the detail', () => {
  test('links to the page of a sub-plan and back to the plan that started it', async () => {
    const page = await open(/^Tool call/)
    await page.locator('.spans-below').getByRole('button', { name: 'Below' }).click()
    await page.getByRole('link', { name: 'Page of this plan' }).click()
    await page.waitForURL(/\/plans\/plan-below$/)
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('+')
    await page.getByRole('treeitem', { name: /^Plan Below/ }).click()
    await page.getByRole('link', { name: 'Parent plan' }).click()
    await page.waitForURL(/\/plans\/plan-above$/)
    await page.getByRole('treeitem').first().waitFor()
  })

  test('draws the record’s screenshots, and shows accessibility trees line by line', async () => {
    const page = await open(/^Cycle/)
    const picture = page.getByRole('img', { name: 'What the agent saw' })
    const width = () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBe(1)
    await page.getByText("[2] link 'Museums'").waitFor()
    await viewer.look(page, 'detail-observation')
    await page.getByRole('treeitem', { name: /^Tool call/ }).click()
    await page.getByRole('heading', { name: 'Accessibility tree afterwards' }).waitFor()
    await page.getByText('Reward').waitFor()
  })

  test('shows the last messages of a long conversation, and earlier ones on request', async () => {
    const page = await open(/^Agent/)
    const detail = page.getByRole('complementary', { name: 'Detail' })
    await detail.getByText('Message 24', { exact: true }).waitFor()
    expect(await detail.getByText('Message 4', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: '5 messages before' }).click()
    await detail.getByText('Message 0', { exact: true }).waitFor()
    await page.locator('.conversation .json-text', { hasText: 'In JSON' }).waitFor()
    await viewer.look(page, 'detail-conversation')
  })
})
