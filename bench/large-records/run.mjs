// Small requests while large records are rebuilt: npm run build && node bench/large-records/run.mjs [--seconds 20]
// [--rounds 1] [--readers 1,4] [--loads 'plan of 10,000 spans;…'] [--base DIRECTORY] With the directory of
// another checkout that is built, that one is measured by turns with this one. A small request's time counts from when
// it was due; the clients are a process of their own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { encodeRecords } from '../../dist/mapping/index.js'
import { createStore } from '../../dist/store/index.js'
import { forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { machine, quantile } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { settle } from '../settle.mjs'
import { livePlan, planExecution, trajectory } from './records.mjs'

const MB = 1_000_000
const SMALL_RECORDS = 100
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    readers: { type: 'string', default: '1,4' },
    loads: { type: 'string' },
    base: { type: 'string' },
  },
})
const seconds = Number(options.seconds)
const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const builds = { ...(options.base ? { base: options.base } : {}), 'this build': file('../..') }
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))

const large = JSON.stringify(planExecution('large', { size: 30 * MB }))
const largeTask = JSON.stringify(trajectory('large-task', 30 * MB))
const [{ planId: taskId }] = encodeRecords(Buffer.from(largeTask))
const imported = join(directory, 'imported.json')
await writeFile(imported, JSON.stringify(planExecution('imported', { size: 30 * MB })))

/** What the large clients ask for. */
const loads = {
  nothing: [],
  'plan of 10,000 spans': [{ path: '/api/records/plan-bench' }],
  'plan-execution of 40 MB': [{ path: '/api/records/large' }],
  'trajectory of 40 MB': [{ path: `/api/records/${taskId}` }],
  'spans of the three': ['plan-bench', 'large', taskId].map((id) => ({ path: `/api/records/${id}/spans` })),
  'details of a plan of 10,000 spans': [{ path: '/api/executor/details/plan-bench' }],
  'imports of 40 MB': [{ path: '/api/records', file: imported }],
}

/** Rates at which ClickHouse is far from busy: what is measured is planspan. */
const small = {
  record: {
    paths: Array.from({ length: SMALL_RECORDS }, (_, number) => `/api/records/small-${number}`),
    perSecond: 5,
  },
  list: { paths: ['/api/records?limit=50'], perSecond: 1 },
  health: { paths: ['/healthz'], perSecond: 20 },
}

async function fill(url) {
  const post = async (path, body) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  }
  for (const request of livePlan(10_000)) await post('/v1/traces', request)
  for (const record of [large, largeTask]) await post('/api/records', record)
  for (let number = 0; number < SMALL_RECORDS; number++) {
    // 16 cycles of three spans each, an agent and a plan.
    const record = planExecution(`small-${number}`, { size: 16 * 3 * 500, textLength: 500 })
    await post('/api/records', JSON.stringify(record))
  }
}

async function clients(work) {
  const child = spawn(process.execPath, [file('clients.mjs'), JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const [code] = await exited
  if (code !== 0) throw new Error(`The clients ended with ${code}`)
  return JSON.parse(text)
}

const rounded = (values, share) => (values.length === 0 ? '-' : Math.round(quantile(values, share)))
const inWords = (values) => [0.5, 0.99, 1].map((share) => rounded(values, share)).join(' / ')

async function measure(name, load, readers) {
  const server = await serveOver(name)
  try {
    const work = { url: server.url, small }
    await clients({ ...work, seconds: 2, large: [], readers: 0 })
    await forgetPeak(server.pid)
    const { times, largeTimes, largeBytes } = await clients({ ...work, seconds, large: loads[load], readers })
    return {
      load: readers === 0 ? load : `${load}, ${readers} at once`,
      build: name,
      'record (p50 / p99 / most), ms': inWords(times.record),
      list: inWords(times.list),
      health: inWords(times.health),
      'large p50 / most, ms': `${rounded(largeTimes, 0.5)} / ${rounded(largeTimes, 1)}`,
      answered: largeTimes.length,
      'its MB': (largeBytes / MB).toFixed(1),
      'peak MB': await peakMegabytes(server.pid),
    }
  } finally {
    await server.stop()
  }
}

const databaseOf = (name) => `bench_${Object.keys(builds).indexOf(name)}`
const clickhouse = await startClickHouse({ dataDirectory: join(directory, 'clickhouse') })
const serveOver = (name) => serve(builds[name], ['--clickhouse', clickhouse.url, '--database', databaseOf(name)])

try {
  for (const name of Object.keys(builds)) {
    const server = await serveOver(name)
    await fill(server.url)
    await server.stop()
  }
  const store = createStore({ url: clickhouse.url })
  for (const name of Object.keys(builds)) await settle(store.client, databaseOf(name))
  await store.close()
  console.log(`${machine()} before; ${seconds} s a run`)
  const results = []
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const load of options.loads?.split(';') ?? Object.keys(loads)) {
      for (const readers of load === 'nothing' ? [0] : options.readers.split(',').map(Number)) {
        const names = Object.keys(builds)
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          results.push(await measure(name, load, readers))
        }
      }
    }
  }
  console.table(results)
} finally {
  await clickhouse.stop()
  await rm(directory, { recursive: true, force: true })
}
