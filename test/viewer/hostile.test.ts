import { afterAll, beforeAll, expect, test } from 'vitest'

import { ATTR, attributeType, type Span } from '../../src/semconv/index.js'
import { PlanLife } from '../support/plan-life.js'
import { startViewer, type Viewer } from './support/viewer.js'

const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload="window.hacked=1">"'\``
const ROLES = ['plan', 'planning', 'wait', 'agent', 'think_act', 'llm', 'guardrail', 'tool'] as const

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  await viewer.send(hostilePlan())
})
afterAll(() => viewer.close())

/** A plan with a script in each text of each of its spans, as text, in JSON and as keys of JSON. */
function hostilePlan(): Span[] {
  const messages = JSON.stringify([
    {
      role: SCRIPT,
      parts: [
        { type: 'text', content: SCRIPT },
        { type: 'reasoning', content: SCRIPT },
      ],
    },
    { role: 'assistant', parts: [{ type: 'tool_call', id: SCRIPT, name: SCRIPT, arguments: { [SCRIPT]: SCRIPT } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: SCRIPT, response: SCRIPT }, { [SCRIPT]: SCRIPT }] },
  ])
  const structural = /^planspan\.(?:plan\.(?:id|root_id)|span|pending|children|schema|seq|record)/
  const texts = Object.values(ATTR).filter((key) => attributeType(key) === 'string' && !structural.test(key))
  const attributes = {
    ...Object.fromEntries(texts.map((key) => [key, SCRIPT])),
    [ATTR.inputMessages]: messages,
    [ATTR.outputMessages]: messages,
    [ATTR.toolCallArguments]: JSON.stringify({ [SCRIPT]: { [SCRIPT]: [SCRIPT] } }),
    [ATTR.planSteps]: [SCRIPT, SCRIPT],
    [ATTR.riskViolatedPolicyIds]: [SCRIPT],
    [ATTR.riskScore]: 0.9,
    [ATTR.riskIsSafe]: false,
    [ATTR.observationScreenshotUri]: 'javascript:window.hacked=1',
  }
  const own: Record<string, unknown> = { ...attributes }
  for (const key of [ATTR.operationName, ATTR.spanKind, ATTR.state, ATTR.waitReason, ATTR.planParentId]) delete own[key]
  const life = new PlanLife({ planId: 'plan-hostile', traceId: 'b'.repeat(32), begin: Date.now() - 2_000 })
  for (const role of ROLES) life.start(role, role, role === 'plan' ? undefined : 'plan', own as Span['attributes'])
  for (const role of ROLES.toReversed()) life.end(role, { [ATTR.state]: 'failed' }, 'ERROR')
  return life.rows.map((row) => ({ ...row, statusMessage: row.statusCode === 'ERROR' ? SCRIPT : '' }))
}

/** What a text rendered as HTML would have created in the page. */
const MADE = `({
  hacked: 'hacked' in window,
  scripts: document.scripts.length,
  images: document.images.length,
  links: [...document.links].filter(({ protocol }) => !protocol.startsWith('http')).length,
  handlers: document.querySelectorAll('[onerror], [onload]').length,
})`

test('no text is rendered as HTML or run as a script', async () => {
  const page = await viewer.open('/plans')
  await page.getByRole('row').nth(1).waitFor()
  expect(await page.getByRole('row').nth(1).innerText()).toContain('<img src=x')
  await viewer.look(page, 'hostile-list')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.locator('.step-title').first().waitFor()
  expect(await page.locator('.step-title').first().innerText()).toContain('<img src=x')
  await viewer.look(page, 'hostile-steps')
  await page.getByRole('link', { name: 'Tree' }).click()
  await page
    .getByRole('treeitem')
    .nth(ROLES.length - 1)
    .waitFor()
  for (const _ of ROLES) {
    await page.keyboard.press('j')
    const detail = page.getByRole('complementary', { name: 'Detail' })
    await detail.getByText('Attributes,').click()
    await detail.getByText('Raw JSON').click()
    await detail.locator('.failure').waitFor()
  }
  await viewer.look(page, 'hostile-plan')
  const made = await page.evaluate<object>(MADE)
  expect(made).toEqual({ hacked: false, scripts: 1, images: 0, links: 0, handlers: 0 })
})
