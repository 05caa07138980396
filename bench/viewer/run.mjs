// How soon a plan's page is there, how it scrolls and grows, and what it takes: a real server, a real Chromium.
// npm run build && node bench/viewer/run.mjs [--spans 1000,10000,30000] [--rounds 5] [--grow 30000] [--seconds 20]
//   [--jaeger-ui DIRECTORY] [--base DIRECTORY]
// With a build of Jaeger's own page (packages/jaeger-ui/build of github.com/jaegertracing/jaeger-ui, v1.76.0), Jaeger
// shows the same traces from its memory, by turns. With the directory of another checkout that is built, that one is
// measured by turns with this one. `--grow 0` leaves growth out.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { createStore } from '../../dist/store/index.js'
import { findChromium, NO_CHROMIUM } from '../../scripts/find-chromium.mjs'
import { machine, quantile, table } from '../figures.mjs'
import { cpuSeconds, forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { copyTraces } from '../jaeger/copy-traces.mjs'
import { startJaeger } from '../jaeger/jaeger.mjs'
import { serve } from '../serve.mjs'
import { settle } from '../settle.mjs'
import { sendPlan, sendRows } from '../structure/send-plan.mjs'
import { timeJaeger } from './jaeger-page.mjs'
import { livePlan } from './live-plan.mjs'
import { framesDuring, openPage, timePlan, usage, WHOLE } from './open-plan.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000,10000,30000' },
    rounds: { type: 'string', default: '5' },
    grow: { type: 'string', default: '30000' },
    seconds: { type: 'string', default: '20' },
    base: { type: 'string' },
    'jaeger-ui': { type: 'string' },
  },
})
const executablePath = findChromium()
if (executablePath === undefined) throw new Error(NO_CHROMIUM)
const sizes = options.spans.split(',').map(Number)
const rounds = Number(options.rounds)
const DATABASE = 'bench'
const RATE = 100
const root = fileURLToPath(new URL('../..', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const COLUMNS = [
  'first row',
  'interactive',
  'all spans',
  'asked at',
  'server',
  'transfer',
  'parse',
  'model',
  'layout',
  'serve CPU',
  'ClickHouse CPU',
  'page CPU',
  'heap MB',
  'serve peak MB',
]
const running = []
const keep = (process) => {
  running.unshift(process)
  return process
}

/** The median of each column, and of the first also the least; '' for what one way does not tell. */
const cells = (all) =>
  COLUMNS.map((column, at) => {
    const values = all.map((one) => one[column]).filter((value) => value !== undefined)
    if (values.length === 0) return ''
    const [least, middle] = [0, 0.5].map((share) => Math.round(quantile(values, share)))
    return at === 0 ? `${middle} (least ${least})` : middle
  })

const framesText = ({ frames, over50, over200, longest }) =>
  `${frames} frames, ${over50} over 50 ms, ${over200} over 200 ms, the longest ${Math.round(longest)} ms`

try {
  console.log(`${machine()} before; medians of ${rounds} rounds`)
  const clickhouse = keep(await startClickHouse({ dataDirectory: join(directory, 'clickhouse') }))
  const args = ['--clickhouse', clickhouse.url, '--database', DATABASE, '--jaeger-port', '0']
  const servers = {}
  for (const [name, build] of Object.entries({ ...(options.base ? { base: options.base } : {}), planspan: root })) {
    servers[name] = keep(await serve(build, args))
  }
  const { url, jaegerEndpoint } = servers.planspan
  const plans = []
  for (const spans of sizes) plans.push({ spans, ...(await sendPlan(url, { spans })) })
  const store = createStore({ url: clickhouse.url })
  await settle(store.client, DATABASE)
  await store.close()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  keep({ stop: () => browser.close() })
  const jaeger = options['jaeger-ui'] && keep(await startJaeger('jaeger.yaml', { JAEGER_UI: options['jaeger-ui'] }))
  if (jaeger) await copyTraces(jaegerEndpoint, jaeger.otlp)

  const rows = []
  for (const { spans, planId, traceId } of plans) {
    const ways = Object.entries(servers).map(([name, server]) => [name, () => measure(server, planId)])
    if (jaeger) ways.push(['Jaeger', () => timeJaeger(browser, `${jaeger.url}/trace/${traceId}`)])
    const taken = new Map(ways.map(([name]) => [name, []]))
    for (let round = 0; round <= rounds; round++) {
      for (const [name, once] of round % 2 === 0 ? ways : ways.toReversed()) {
        // The first round warms caches.
        const measured = await once()
        if (round > 0) taken.get(name).push(measured)
      }
    }
    for (const [name, all] of taken) rows.push([name, spans, ...cells(all)])
  }
  console.log(table(['', 'spans', ...COLUMNS], rows))
  const largest = plans.at(-1)
  console.log(`Scrolling ${largest.spans} spans, all open: ${framesText(await scroll(largest.planId))}`)
  if (Number(options.grow) > 0) await grow(Number(options.grow))
  console.log(await bytes(largest.planId))
  console.log(`${machine()} after`)

  async function measure(server, planId) {
    const pids = [server.pid, clickhouse.pid]
    await forgetPeak(server.pid)
    const before = await Promise.all(pids.map(cpuSeconds))
    const times = await timePlan(browser, `${server.url}/plans/${planId}`)
    const after = await Promise.all(pids.map(cpuSeconds))
    const [serveCpu, clickhouseCpu] = after.map((seconds, at) => (seconds - before[at]) * 1000)
    const peak = await peakMegabytes(server.pid)
    return { ...times, 'serve CPU': serveCpu, 'ClickHouse CPU': clickhouseCpu, 'serve peak MB': peak }
  }

  /** All spans open, scrolled through by the wheel for some seconds. */
  async function scroll(planId) {
    const { page, close } = await openPage(browser, `${url}/plans/${planId}`)
    await page.waitForSelector(WHOLE)
    await page.keyboard.press('+')
    await page.mouse.move(400, 500)
    const frames = await framesDuring(page, async () => {
      for (let turn = 0; turn < 100; turn++) {
        await page.mouse.wheel(0, 400 + turn * 40)
        await delay(30)
      }
    })
    await close()
    return frames
  }

  /** A plan that grows by 100 spans a second while one looks. */
  async function grow(spans) {
    const seconds = Number(options.seconds)
    const planId = 'plan-live'
    const live = livePlan({ spans, coming: seconds * RATE, planId, traceId: 'a'.repeat(32) })
    await sendRows(url, live.there)
    const { page, close } = await openPage(browser, `${url}/plans/${planId}`)
    await page.waitForSelector('[role=treeitem]', { timeout: 120_000 })
    const shown = (count) =>
      page.getByRole('group', { name: 'Figures' }).getByText(count.toLocaleString('en-US'), { exact: true }).waitFor()
    await shown(spans)
    await forgetPeak(servers.planspan.pid)
    let lateMs = 0
    const frames = await framesDuring(page, async () => {
      for (let at = 0; at < live.coming.length; at += RATE / 10) {
        const due = delay(100)
        await sendRows(url, live.coming.slice(at, at + RATE / 10))
        await due
      }
      const sent = performance.now()
      await shown(spans + live.coming.length)
      lateMs = performance.now() - sent
    })
    const { 'heap MB': heap } = await usage(page)
    console.log(
      `Growing from ${spans} spans by ${live.coming.length} in ${seconds} s: ${framesText(frames)}; the last was shown ` +
        `${Math.round(lateMs)} ms after it was stored; page ${Math.round(heap)} MB, serve at most ` +
        `${await peakMegabytes(servers.planspan.pid)} MB`,
    )
    await close()
    await sendRows(url, live.ends)
  }

  /** What the page loads, gzipped. */
  async function bytes(planId) {
    const { page, close } = await openPage(browser, `${url}/plans/${planId}`)
    await page.waitForSelector(WHOLE)
    const loaded = await page.evaluate(() => {
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      const sum = (some) => some.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0) / 1000
      const isFile = ({ name, entryType }) => entryType === 'navigation' || name.includes('/assets/')
      return { files: sum(entries.filter(isFile)), data: sum(entries.filter((entry) => !isFile(entry))) }
    })
    await close()
    return `Loaded: ${loaded.files.toFixed(1)} kB of files, gzipped; ${Math.round(loaded.data)} kB of data`
  }
} finally {
  for (const process of running) await process.stop()
  await rm(directory, { recursive: true, force: true })
}
