import { afterAll, beforeAll, expect, test } from 'vitest'

import { complaints } from './support/axe.js'
import { sendSamplePlans } from './support/sample-plans.js'
import { startViewer, type Viewer } from './support/viewer.js'
import { testTokens, type TestTokens } from '../support/token-file.js'

let tokens: TestTokens
let viewer: Viewer
let token: string
beforeAll(async () => {
  tokens = testTokens()
  token = await tokens.make('reader', { scopes: ['read'] })
  viewer = await startViewer({
    tokensFile: tokens.path,
    senderToken: await tokens.make('sender', { scopes: ['ingest'] }),
  })
  await sendSamplePlans(viewer, 20)
})
afterAll(async () => {
  await viewer.close()
  tokens[Symbol.dispose]()
})

test('the page asks for a token, by keyboard only, and then shows the requested page', async () => {
  const page = await viewer.open('/plans?state=completed')
  const field = page.getByLabel('Access token')
  await field.waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('token')
  await viewer.look(page, 'sign-in')

  await page.keyboard.type('planspan_wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toMatch(/^The token is unknown here/)
  await viewer.look(page, 'sign-in-refused')

  await page.keyboard.type(token)
  await page.keyboard.press('Enter')
  await page.locator('.plan-row:not(.header)').first().waitFor()
  expect(new URL(page.url()).search).toBe('?state=completed')
  await viewer.look(page, 'signed-in')

  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: 'planspan_session', httpOnly: true, sameSite: 'Strict', path: '/' }])
  expect(cookies[0]?.value).not.toContain(token.slice(9))
  expect(await page.evaluate('document.cookie')).toBe('')

  await page.reload()
  await page.locator('.plan-row:not(.header)').first().waitFor()
  await page.getByRole('button', { name: 'Sign out: reader' }).click()
  await field.waitFor()
  expect(await page.context().cookies()).toEqual([])
})

test('a page whose token is revoked asks for another', async () => {
  const guest = await tokens.make('guest', { scopes: ['read'] })
  const page = await viewer.open('/plans')
  const field = page.getByLabel('Access token')
  await field.waitFor()
  // The server reads the file once a second.
  await expect
    .poll(async () => {
      if (await field.isVisible()) await field.fill(guest)
      await page.keyboard.press('Enter')
      return page.locator('.plan-row:not(.header)').count()
    })
    .toBeGreaterThan(0)
  await tokens.revoke('guest')
  await field.waitFor()
})

test('axe reports no problems with the form, light, dark, small and after a rejection', async () => {
  for (const options of [{}, { dark: true }, { width: 360, height: 740 }]) {
    const page = await viewer.open('/plans', options)
    await page.getByLabel('Access token').fill('planspan_wrong')
    expect(await complaints(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await complaints(page)).toEqual([])
    await page.close()
  }
})
