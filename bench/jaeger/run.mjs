// How long Jaeger's HTTP interface takes over planspan's remote storage and over Jaeger's own store in memory, with the
// same traces in both: searches by their limit, and a trace of 10,000 spans.
// npm run build && node bench/jaeger/run.mjs [--plans 1000] [--limits 20,200,1000] [--rounds 7] [--base DIRECTORY]
// Without limits it searches nothing. With the directory of another checkout that is built, that one is measured by
// turns with this one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { generatePlans } from '../../dist/generate/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { createStore } from '../../dist/store/index.js'
import { planRows } from '../fold/plan.mjs'
import { machine, quantile, table } from '../figures.mjs'
import { forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'
import { settle } from '../settle.mjs'
import { copyTraces } from './copy-traces.mjs'
import { startJaeger } from './jaeger.mjs'

const { values: options } = parseArgs({
  options: {
    plans: { type: 'string', default: '1000' },
    limits: { type: 'string', default: '20,200,1000' },
    rounds: { type: 'string', default: '7' },
    base: { type: 'string' },
  },
})
const limits = options.limits.split(',').filter((limit) => limit !== '')
const SERVICE = 'agent'
const LARGE = 'large-agent'
const DATABASE = 'bench'
const root = fileURLToPath(new URL('../..', import.meta.url))
const builds = { ...(options.base ? { base: options.base } : {}), planspan: root }
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const running = []
const keep = (process) => {
  running.unshift(process)
  return process
}

/** As many live plans as asked for, of one service, and a plan of 10,000 spans; answers its trace's id. */
async function fill(url) {
  const send = async (serviceName, spans) => {
    const { rejected, reasons } = await createSpanSender({ url: `${url}/v1/traces`, serviceName }).send(spans)
    if (rejected > 0) throw new Error(reasons.join(' '))
  }
  await send(SERVICE, livePlans(Number(options.plans)))
  const large = planRows({ spans: 10_000, snapshots: 0 }).map((row) => ({ ...row, kind: row.kind.toUpperCase() }))
  await send(LARGE, large)
  return large[0].traceId
}

function* livePlans(count) {
  const imported = 'planspan-import'
  const generated = generatePlans({ plans: count * 4, days: 1, seed: 'jaeger', until: Date.now() })
  let plans = 0
  for (const { service, spans } of generated) {
    if (service === imported) continue
    yield* spans
    if (++plans === count) return
  }
}

async function measure({ jaeger, pid }, path) {
  if (pid) await forgetPeak(pid)
  const started = performance.now()
  const text = await jaeger.get(path)
  const ms = performance.now() - started
  const peak = pid && (await peakMegabytes(pid))
  const { data } = JSON.parse(text)
  const spans = data.reduce((sum, trace) => sum + trace.spans.length, 0)
  return { ms, peak, found: `${data.length} traces, ${spans} spans, ${(text.length / 1e6).toFixed(1)} MB` }
}

try {
  const clickhouse = keep(await startClickHouse({ dataDirectory: join(directory, 'clickhouse') }))
  const servers = {}
  for (const [name, build] of Object.entries(builds)) {
    const args = ['--clickhouse', clickhouse.url, '--database', DATABASE, '--jaeger-port', '0']
    servers[name] = keep(await serve(build, args))
  }
  const largeTrace = await fill(servers.planspan.url)
  const store = createStore({ url: clickhouse.url })
  await settle(store.client, DATABASE)
  await store.close()

  const ways = {}
  for (const [name, { jaegerEndpoint, pid }] of Object.entries(servers)) {
    const jaeger = keep(await startJaeger('jaeger-remote-storage.yaml', { PLANSPAN_JAEGER: jaegerEndpoint }))
    ways[name] = { jaeger, pid }
  }
  const memory = keep(await startJaeger('jaeger.yaml'))
  await copyTraces(servers.planspan.jaegerEndpoint, memory.otlp)
  ways['Jaeger’s memory'] = { jaeger: memory }

  const since = new URLSearchParams({ start: `${(Date.now() - 2 * 86_400_000) * 1000}`, end: `${Date.now() * 1000}` })
  const cases = {
    ...Object.fromEntries(
      limits.map((limit) => [`${limit} results`, `/api/traces?service=${SERVICE}&limit=${limit}&${since}`]),
    ),
    'a trace of 10,000 spans': `/api/traces/${largeTrace}`,
  }
  console.log(`${machine()} before; medians of ${options.rounds} rounds`)
  const rows = []
  for (const [name, path] of Object.entries(cases)) {
    const taken = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
    for (let round = 0; round <= Number(options.rounds); round++) {
      const order = Object.entries(ways)
      for (const [way, target] of round % 2 === 0 ? order : order.toReversed()) {
        // The first round warms caches.
        const measured = await measure(target, path)
        if (round > 0) taken[way].push(measured)
      }
    }
    const cells = Object.values(taken).map((each) => {
      const times = each.map(({ ms }) => ms)
      const [least, middle] = [0, 0.5].map((share) => Math.round(quantile(times, share)))
      const peak = each[0].peak === undefined ? '' : `; ${Math.max(...each.map(({ peak }) => peak))} MB`
      return `${middle} ms (least ${least}${peak})`
    })
    rows.push([name, [...new Set(Object.values(taken).map(([{ found }]) => found))].join(' / '), ...cells])
    console.log(rows.at(-1).join(' | '))
  }
  console.log(table(['', 'found', ...Object.keys(ways)], rows))
} finally {
  for (const process of running) await process.stop()
  await rm(directory, { recursive: true, force: true })
}
