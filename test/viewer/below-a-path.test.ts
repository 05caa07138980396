import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { wholeLife } from '../support/plan-life.js'
import { startViewer, type Viewer } from './support/viewer.js'

const BELOW = '/tools/planspan'

let viewer: Viewer
let proxy: Server
let below: string
beforeAll(async () => {
  viewer = await startViewer()
  await viewer.send(wholeLife({ planId: 'plan-1', traceId: '1'.repeat(32), begin: Date.now() - 2_000 }).rows)
  proxy = proxyTo(viewer.url)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  below = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${BELOW}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await viewer.close()
})

/** A proxy that serves a URL below a path, and nothing elsewhere. */
const proxyTo = (url: string): Server =>
  createServer((asked, answer) => {
    const path = asked.url ?? ''
    if (!path.startsWith(`${BELOW}/`)) return void answer.writeHead(404).end()
    const { method, headers } = asked
    const passed = request(`${url}${path.slice(BELOW.length)}`, { method: method!, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    answer.on('close', () => passed.destroy())
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })

test('works below a path of a proxy, including links and live updates', async () => {
  const page = await viewer.open(`${below}/`)
  const link = page.getByRole('link', { name: 'A day in Rome' })
  await link.waitFor()
  expect(page.url()).toBe(`${below}/plans`)
  expect(await link.getAttribute('href')).toBe(`${BELOW}/plans/plan-1`)
  await link.click()
  await page.getByRole('treeitem').first().waitFor()
  await page.getByRole('link', { name: 'Waterfall' }).click()
  await page.locator('.waterfall').waitFor()
  await page.reload()
  await page.getByRole('treeitem').first().waitFor()
  expect(page.url()).toBe(`${below}/plans/plan-1?view=waterfall`)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await link.waitFor()
  await viewer.send(wholeLife({ planId: 'plan-2', traceId: '2'.repeat(32), begin: Date.now() - 1_000 }).rows)
  await page.getByRole('button', { name: '1 new' }).waitFor()
})
