// What `planspan serve` does when far more comes than it can store: node bench/overload/run.mjs [--seconds 60]
// [--probe-seconds 10] [--times 6] [--from 4000] [--data DIRECTORY] [--build DIRECTORY] First it finds the highest rate
// at which all is acknowledged within a second, then several times of that comes. Senders give up after ten seconds, as
// SDKs' exporters do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createStore } from '../../dist/store/index.js'
import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { number, settle } from '../settle.mjs'

const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    'probe-seconds': { type: 'string', default: '10' },
    times: { type: 'string', default: '6' },
    from: { type: 'string', default: '4000' },
    data: { type: 'string', default: tmpdir() },
    build: { type: 'string', default: file('../..') },
  },
})
const SECONDS = Number(options.seconds)
const REQUEST_SPANS = 512
const EXPORTER_TIMEOUT_MS = 10_000
/** All has to be acknowledged within this at a rate that can be sustained. */
const PROMPT_MS = 1000
const STEP = 1.25

const directory = mkdtempSync(join(options.data, 'planspan-bench-'))
const server = await serve(options.build, ['--data', join(directory, 'data')])
const store = createStore({ url: server.clickhouseUrl, database: server.database })
const url = `${server.url}/v1/traces`
let first = 1

async function load(spansPerSecond, seconds) {
  const work = { url, spansPerSecond, requestSpans: REQUEST_SPANS, seconds, timeoutMs: EXPORTER_TIMEOUT_MS, first }
  first += Math.ceil((spansPerSecond * seconds) / REQUEST_SPANS)
  const child = spawn(process.execPath, [file('load.mjs'), JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  await once(child, 'close')
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function isSustained(rate, seconds) {
  const { spans, acknowledged, slowest } = await load(rate, seconds)
  const holds = acknowledged === spans && slowest <= PROMPT_MS
  console.log(`${rate} spans/s for ${seconds} s: slowest ${slowest.toFixed(0)} ms${holds ? '' : ', too much'}`)
  await settle(store.client, store.database)
  return holds
}

/** The highest rate that holds for the whole time, to a step. */
async function sustainableRate() {
  let rate = Number(options.from)
  while (await isSustained(rate, Number(options['probe-seconds']))) rate = Math.round(rate * STEP)
  do rate = Math.round(rate / STEP)
  while (!(await isSustained(rate, SECONDS)))
  return rate
}

/** Asks for the list twice a second until `stop` is aborted; answers how long each took. */
async function watchList(stop) {
  const took = []
  while (!stop.aborted) {
    const start = performance.now()
    await (await fetch(`${server.url}/api/records`)).text()
    took.push(performance.now() - start)
    await delay(Math.max(0, 500 - (performance.now() - start)))
  }
  return took
}

/** How long after the last request one is acknowledged within a second again, and what was stored by asking. */
async function recovery() {
  const start = performance.now()
  let spans = 0
  for (;;) {
    const { acknowledged, slowest } = await load(REQUEST_SPANS, 1)
    spans += acknowledged
    if (acknowledged > 0 && slowest <= PROMPT_MS)
      return { spans, seconds: (performance.now() - start - slowest) / 1000 }
  }
}

const spansStored = () => number(store.client, `SELECT count() FROM ${store.database}.otel_traces FINAL`)

try {
  console.log(machine())
  const sustainable = await sustainableRate()
  const before = await spansStored()
  const stop = new AbortController()
  const list = watchList(stop.signal)
  const result = await load(sustainable * Number(options.times), SECONDS)
  stop.abort()
  const lists = await list
  const recovered = await recovery()
  await settle(store.client, store.database)
  const stored = (await spansStored()) - before - recovered.spans
  const share = (part, whole) => `${((part / whole) * 100).toFixed(0)} %`
  console.log(
    `\n${table(
      ['', ''],
      [
        ['sustainable', `${sustainable} spans/s`],
        ['offered', `${result.offered.toFixed(0)} spans/s for ${SECONDS} s`],
        ['answers', JSON.stringify(result.outcomes)],
        ['acknowledged in time, of what is stored', share(result.acknowledged, stored)],
        ['goodput, of the sustainable rate', share(result.acknowledged / SECONDS, sustainable)],
        ['acknowledged, p50 / slowest', `${result.p50?.toFixed(0)} / ${result.slowest.toFixed(0)} ms`],
        ['refused, p95', `${result.refusedP95?.toFixed(0)} ms`],
        ['list, p50 / p95', `${quantile(lists, 0.5).toFixed(0)} / ${quantile(lists, 0.95).toFixed(0)} ms`],
        ['recovered after', `${recovered.seconds.toFixed(1)} s`],
      ],
    )}\n\n${machine()}`,
  )
} finally {
  await store.close()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
