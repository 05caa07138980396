// The receiver's throughput, after `npm run build`: node bench/receiver/run.mjs [--spans N] [--connections N] [--only SCENARIO]
// One embedded ClickHouse, one receiver and one load generator, each a process of its own. CPU and memory are those of the
// receiver and of ClickHouse, merges included; the generator's are not counted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startClickHouse } from '../../dist/clickhouse/index.js'
import { createStore } from '../../dist/store/index.js'

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '400000' },
    connections: { type: 'string', default: '128' },
    only: { type: 'string' },
  },
})
const spans = Number(values.spans)
const connections = Number(values.connections)
const TICKS_PER_SECOND = 100
const SCENARIOS = [
  { name: 'protobuf', encoding: 'protobuf', nested: 0 },
  { name: 'protobuf, half nested', encoding: 'protobuf', nested: 0.5 },
  { name: 'JSON', encoding: 'json', nested: 0 },
  { name: 'JSON, half nested', encoding: 'json', nested: 0.5 },
]

const script = (name) => fileURLToPath(new URL(name, import.meta.url))

async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function peakMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

async function startReceiver(url, database) {
  const child = spawn(process.execPath, [script('receiver.mjs'), url, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { child, pid: child.pid, url: JSON.parse(line).url }
  throw new Error('The receiver ended before it listened')
}

async function load(options) {
  const child = spawn(process.execPath, [script('load.mjs'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The load generator ended with ${code}`)
  return JSON.parse(output)
}

async function number(client, query) {
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json()
  return Number(Object.values(rows[0])[0])
}

const insertQueries = (client) => number(client, `SELECT value FROM system.events WHERE event = 'InsertQuery'`)

/** Merges belong to the price; those that take longer than a minute are left out. */
async function settle(client, database) {
  const deadline = Date.now() + 60_000
  let quiet = 0
  while (quiet < 5 && Date.now() < deadline) {
    quiet =
      (await number(client, `SELECT count() FROM system.merges WHERE database = '${database}'`)) === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function run(clickhouse, { name, encoding, nested }, index) {
  const database = `bench_${index}`
  const store = createStore({ url: clickhouse.url, database })
  await store.migrate()
  const receiver = await startReceiver(clickhouse.url, database)
  try {
    await load({ url: receiver.url, encoding, nested, spans: 32_768, connections })
    await settle(store.client, database)
    const inserts = await insertQueries(store.client)
    const before = [await cpuSeconds(receiver.pid), await cpuSeconds(clickhouse.pid)]
    await store.client.command({ query: `TRUNCATE TABLE ${database}.otel_traces` })
    const result = await load({ url: receiver.url, encoding, nested, spans, connections })
    await settle(store.client, database)
    const after = [await cpuSeconds(receiver.pid), await cpuSeconds(clickhouse.pid)]
    const spansPerInsert = result.spans / ((await insertQueries(store.client)) - inserts)
    const stored = await number(store.client, `SELECT uniqExact(TraceId, SpanId) FROM ${database}.otel_traces`)
    if (stored !== result.spans) throw new Error(`${name}: ${stored} of ${result.spans} spans are stored`)
    const [node, server] = after.map((value, at) => ((value - before[at]) * 1e6) / result.spans)
    return {
      scenario: name,
      'bytes/span': result.bytesPerSpan,
      'spans/s': Math.round(result.spans / result.seconds),
      'CPU s/M spans': Number((node + server).toFixed(1)),
      receiver: Number(node.toFixed(1)),
      ClickHouse: Number(server.toFixed(1)),
      'spans/insert': Math.round(spansPerInsert),
      'receiver MB': await peakMegabytes(receiver.pid),
      'ClickHouse MB': await peakMegabytes(clickhouse.pid),
      'p50 ms': Math.round(result.p50),
      'p99 ms': Math.round(result.p99),
      refused: result.refused,
    }
  } finally {
    receiver.child.kill('SIGTERM')
    await once(receiver.child, 'exit')
    await store.client.command({ query: `DROP DATABASE ${database} SYNC` })
    await store.close()
  }
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const clickhouse = await startClickHouse({ dataDirectory })
try {
  console.log(`${spans} spans, requests of 512, ${connections} connections, ${availableParallelism()} cores`)
  const results = []
  for (const [index, scenario] of SCENARIOS.entries())
    if (!values.only || values.only === scenario.name) results.push(await run(clickhouse, scenario, index))
  console.table(results)
} finally {
  await clickhouse.stop()
  await rm(dataDirectory, { recursive: true, force: true })
}
