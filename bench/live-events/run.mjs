// How long after an agent's call a watcher knows of it, and what watching costs: npm run build && node
// bench/live-events/run.mjs [--seconds 20] [--plans 1,50] [--roads planspan,collector] The road "collector" builds the
// collector first, which needs Go. All processes are on one machine, so that they have one clock.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { createStore } from '../../dist/store/index.js'
import { cpuSeconds } from '../ingest/processes.mjs'
import { roads } from '../ingest/roads.mjs'
import { watchers } from './watchers.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    plans: { type: 'string', default: '1,50' },
    roads: { type: 'string', default: 'planspan,collector' },
    watchers: { type: 'string', default: ['nobody', ...Object.keys(watchers)].join(';') },
  },
})
const seconds = Number(options.seconds)

/** The delays between a moment that a text tells of and when it is first seen, milliseconds. */
function delays() {
  const found = { begun: new Map(), over: new Map() }
  const take = (text, delayOf) => {
    for (const [, name, time] of text.matchAll(/\\*"(begun|over)\\*":(\d{13})/g)) {
      if (!found[name].has(time)) found[name].set(time, delayOf(Number(time)))
    }
  }
  return {
    seen: (text) => take(text, (time) => Date.now() - time),
    known: (text) => take(text, () => undefined),
    of: (name) => [...found[name].values()].filter((delay) => delay !== undefined),
  }
}

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]

const inWords = (values) =>
  values.length === 0 ? '-' : [0.5, 0.95, 1].map((share) => percentile(values, Math.min(share, 1 - 1e-9))).join(' / ')

let run = 0

async function measure(clickhouse, directory, { road, plans, watcher }) {
  const database = `bench_${++run}`
  const store = createStore({ url: clickhouse.url, database })
  await store.migrate()
  const target = { clickhouse, database, directory }
  const server = await roads.planspan(target)
  const receiver = road === 'planspan' ? server : await roads[road](target)
  const ending = new AbortController()
  try {
    const all = Array.from({ length: watcher === 'nobody' ? 0 : plans }, () => delays())
    const watching = all.map(({ seen, known }, number) =>
      watchers[watcher]({
        server: new URL(server.url).origin,
        clickhouse: clickhouse.url,
        database,
        planId: `plan-${number}`,
        signal: ending.signal,
        seen,
        known,
      }),
    )
    const pids = [server.pid, clickhouse.pid]
    const before = await Promise.all(pids.map(cpuSeconds))
    await agent({
      url: receiver.url,
      plans,
      seconds,
      prefix: 'plan',
      snapshots: watcher !== 'SQL over ended spans, each second',
    })
    const after = await Promise.all(pids.map(cpuSeconds))
    ending.abort()
    await Promise.all(watching)
    const [own, stored] = after.map((value, at) => `${(((value - before[at]) / seconds) * 100).toFixed(0)} %`)
    const begun = all.flatMap(({ of }) => of('begun'))
    const over = all.flatMap(({ of }) => of('over'))
    return {
      road,
      plans,
      watcher,
      'call seen after ms (p50 / p95 / most)': inWords(begun),
      'result seen': inWords(over),
      events: begun.length + over.length,
      'CPU of serve': own,
      'of ClickHouse': stored,
    }
  } finally {
    ending.abort()
    if (receiver !== server) await receiver.stop()
    await server.stop()
    await store.client.command({ query: `DETACH DATABASE ${database}` })
    await store.close()
  }
}

async function agent(work) {
  const script = fileURLToPath(new URL('agent.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(work)], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The agent ended with ${code}`)
}

const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const clickhouse = await startClickHouse({ dataDirectory: directory })
try {
  console.log(
    `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; ${seconds} s a run`,
  )
  const results = []
  for (const road of options.roads.split(',')) {
    for (const plans of options.plans.split(',').map(Number)) {
      for (const watcher of options.watchers.split(';')) {
        results.push(await measure(clickhouse, directory, { road, plans, watcher }))
      }
    }
  }
  console.table(results)
} finally {
  await clickhouse.stop()
  await rm(directory, { recursive: true, force: true })
}
