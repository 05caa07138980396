import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { encodeRecords } from '../../src/mapping/index.js'
import { FOREIGN_TRACES, otlpText } from '../support/foreign-traces.js'
import { askPlans, pathOf } from './support/ask.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'

let viewer: Viewer
beforeAll(async () => {
  viewer = await startViewer()
  await sendSamplePlans(viewer, 40)
  const record = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))
  const [encoded] = encodeRecords(record)
  await viewer.send(encoded!.spans.toSpliced(2, 1))
})
afterAll(() => viewer.close())

test('a plan with missing spans shows how many, and where', async () => {
  const [partial] = await askPlans(viewer, 'verdict=partial&dialect=plan-execution&limit=1')
  const page = await viewer.open(pathOf(partial!))
  await page.getByText('partial, 1 missing').click()
  const gap = page.locator('.gaps button')
  const what = await gap.innerText()
  await viewer.look(page, 'plan-partial')
  await gap.click()
  const selected = page.getByRole('treeitem', { selected: true })
  await selected.waitFor()
  expect(await selected.locator('.gap').getAttribute('title')).toBe(what)
})

test('a complete plan shows no missing spans, but its input and output tokens', async () => {
  const plans = await askPlans(viewer, 'verdict=complete&state=completed&limit=40')
  const plan = plans.find(({ inputTokens }) => inputTokens > 0)
  const page = await viewer.open(pathOf(plan!))
  await page.getByRole('treeitem').first().waitFor()
  const tokens = page.locator('.facts div', { has: page.getByText('Tokens', { exact: true }) })
  await expect.poll(() => tokens.innerText()).toMatch(/ in( \(.* cached\))?, .* out$/)
  // The verdict has been loaded by then.
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.verdict').count()).toBe(0)
})

test('a plan of another instrumentation names it, and what it does not report', async () => {
  const { file } = FOREIGN_TRACES[0]!
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${viewer.url}/v1/traces`, { method: 'POST', headers, body: otlpText(file) })
  expect(answer.status).toBe(200)
  const foreign = (await askPlans(viewer, 'limit=100')).find(({ convention }) => convention !== null)
  const page = await viewer.open(pathOf(foreign!))
  await page.getByText(`from ${foreign!.convention!}`, { exact: true }).click()
  await page.locator('.gaps li').first().waitFor()
  await viewer.look(page, 'plan-adopted')
})
