// The list in the browser, scrolled to the end of its pages: how long that takes, frames over 50 ms, memory.
// npm run build && node bench/plan-list/run.mjs [--plans 100000]
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@clickhouse/client'
import { chromium } from 'playwright-core'

import { ATTR } from '../../dist/semconv/index.js'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { settle } from '../settle.mjs'

const { values: options } = parseArgs({ options: { plans: { type: 'string', default: '100000' } } })
const plans = Number(options.plans)
const SETTLED_MS = 600_000

const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const server = await serve(fileURLToPath(new URL('../..', import.meta.url)), ['--data', directory])
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  console.log(machine())
  await fill()
  console.log(table(['of the list in the browser', `${plans} plans`], await measure()))
} finally {
  await browser.close()
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function fill() {
  const client = createClient({ url: server.clickhouseUrl })
  const values = { database: 'otel', until: `${Date.now()}000000`, plans: String(plans) }
  const text = readFileSync(new URL('plans.sql', import.meta.url), 'utf8')
  const query = text.replaceAll(/\$\{(?:ATTR\.)?(\w+)\}/g, (_, name) => values[name] ?? `'${ATTR[name]}'`)
  await client.command({ query })
  await settle(client, 'otel', SETTLED_MS)
  await client.close()
}

async function measure() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const session = await page.context().newCDPSession(page)
  await page.addInitScript(`window.frames_ = []
    const each = (time) => { window.frames_.push(time); requestAnimationFrame(each) }
    requestAnimationFrame(each)`)
  const started = performance.now()
  await page.goto(`${server.url}/plans`)
  await page.locator('a[data-index="0"]').waitFor()
  const first = performance.now() - started
  const before = await heap(session)
  const scrolling = performance.now()
  await page.evaluate('window.frames_.length = 0')
  // As one does who wants to the end: a screen a frame.
  await page.evaluate(
    `new Promise((done) => {
      const list = document.querySelector('.plan-list')
      const step = () => {
        list.scrollTop += list.clientHeight
        if (list.getAttribute('aria-rowcount') !== '-1' && list.scrollTop + list.clientHeight >= list.scrollHeight - 1) done()
        else requestAnimationFrame(step)
      }
      step()
    })`,
  )
  const whole = performance.now() - scrolling
  const down = await frames(page)
  const rows = Number(await page.locator('.plan-list').getAttribute('aria-rowcount')) - 1
  if (rows !== plans) throw new Error(`The list ends after ${rows} plans`)
  const after = await heap(session)
  await page.evaluate('window.frames_.length = 0')
  const back = performance.now()
  await page.locator('.plan-list').evaluate((list) => list.scrollTo(0, 0))
  await page.locator('a[data-index="0"]').waitFor()
  const again = performance.now() - back
  return [
    ['first line', `${first.toFixed(0)} ms`],
    ['scrolled to the end', `${(whole / 1000).toFixed(1)} s`],
    ['longest frame, 99th percentile', `${Math.max(...down).toFixed(0)} ms, ${quantile(down, 0.99).toFixed(0)} ms`],
    ['frames over 50 ms', `${down.filter((ms) => ms > 50).length} of ${down.length}`],
    ['heap at the beginning, at the end', `${before.toFixed(1)} MB, ${after.toFixed(1)} MB`],
    ['back at the first line', `${again.toFixed(0)} ms`],
  ]
}

async function frames(page) {
  const times = await page.evaluate('window.frames_')
  return times.slice(1).map((time, at) => time - times[at])
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}
