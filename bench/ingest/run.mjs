// A stock collector and planspan's receiver, each into the same ClickHouse with the same requests, by turns: npm run
// bench:ingest [-- --long] [--payloads protobuf,protobuf-nested,json,json-nested] [--modes saturated,light] [--roads
// 'collector;planspan;planspan, no indexer'] [--without lookups,indexes,merges] [--data DIRECTORY] [--explain]
// [--before CHECKOUT] The collector is built first, which needs Go. CPU and memory are those of the road's process and
// of ClickHouse, indexing and merges included; the load generator's are not counted. --explain attributes them to
// threads and queries; --before adds the road 'planspan, before', that of another checkout.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startClickHouse } from '../../dist/clickhouse/index.js'
import { createStore } from '../../dist/store/index.js'
import { number, settle, until } from '../settle.mjs'
import { explain, logQueries } from './explain.mjs'
import { cpuSeconds, forgetPeak, peakMegabytes } from './processes.mjs'
import { planspanOf, roads, USUAL } from './roads.mjs'
import { takeAway } from './without.mjs'

const { values: options } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    payloads: { type: 'string', default: 'protobuf' },
    modes: { type: 'string', default: 'saturated,light' },
    roads: { type: 'string', default: USUAL.join(';') },
    data: { type: 'string', default: tmpdir() },
    before: { type: 'string' },
    explain: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    rounds: { type: 'string' },
    spans: { type: 'string' },
  },
})
const rounds = Number(options.rounds ?? (options.long ? 7 : 3))
const names = options.roads.split(';')
if (options.before) roads['planspan, before'] = planspanOf(options.before)
const PAYLOADS = {
  protobuf: { encoding: 'protobuf', nested: 0 },
  'protobuf-nested': { encoding: 'protobuf', nested: 0.5 },
  json: { encoding: 'json', nested: 0 },
  'json-nested': { encoding: 'json', nested: 0.5 },
}
const MODES = {
  saturated: { requestSpans: 512, clients: 128, spans: Number(options.spans ?? (options.long ? 2_000_000 : 400_000)) },
  light: { requestSpans: 128, clients: 80, spansPerSecond: 2000, spans: options.long ? 120_000 : 40_000 },
}
/** Compiles the code as in a server that has run for a while. Its spans are in other parts, those of another week. */
const WARM_UP = { mode: 'saturated', requestSpans: 512, clients: 32, spans: 262_144, first: 1_000_000, weeksEarlier: 1 }

/** Runs the generator; `begin` is called when it begins with what is counted. */
async function load(work, begin) {
  const script = fileURLToPath(new URL('load.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(work)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let result
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'begin') await begin()
    else result = JSON.parse(line)
  }
  const [code] = await exited
  if (code !== 0) throw new Error(`The load generator ended with ${code}`)
  return result
}

/**
 * Sends some work down a road and resolves when all of it is stored; the seconds are those from its beginning to then.
 */
async function send(client, database, work, begin = async () => {}) {
  const stored = () => number(client, `SELECT count() FROM ${database}.otel_traces`)
  const before = await stored()
  let start
  const result = await load(work, async () => {
    start = performance.now()
    await begin()
  })
  await until('all spans are stored', async () => (await stored()) - before >= result.sent)
  return { ...result, seconds: (performance.now() - start) / 1000 }
}

/** The number of inserts with spans of the last day, each of which writes a block. */
const countInserts = (client, database) =>
  number(
    client,
    `SELECT max(max_block_number) - min(min_block_number) + 1
     FROM (SELECT * FROM system.parts WHERE database = '${database}' AND table = 'otel_traces')
     WHERE partition = (SELECT max(partition) FROM system.parts WHERE database = '${database}' AND table = 'otel_traces')`,
  )

async function measure(clickhouse, name, { mode, payload }, round) {
  const database = `bench_${payload}_${mode}_${names.indexOf(name)}_${round}`.replaceAll('-', '_')
  const store = createStore({ url: clickhouse.url, database })
  await store.migrate()
  await takeAway(store.client, database, options.without.split(',').filter(Boolean))
  const road = await roads[name]({ clickhouse, database, directory: dataDirectory })
  try {
    const work = { url: road.url, mode, ...PAYLOADS[payload], ...MODES[mode], first: 0 }
    await send(store.client, database, { ...work, ...WARM_UP })
    // Merges belong to the price.
    await road.caughtUp?.()
    await settle(store.client, database)
    const pids = [road.pid, clickhouse.pid]
    let before, tell
    const result = await send(store.client, database, work, async () => {
      await forgetPeak(clickhouse.pid)
      if (options.explain) tell = await explain(store.client, road.pid)
      before = await Promise.all(pids.map(cpuSeconds))
    })
    await road.caughtUp?.()
    await settle(store.client, database)
    const after = await Promise.all(pids.map(cpuSeconds))
    await tell?.(result.spans)
    const [own, server] = after.map((seconds, at) => ((seconds - before[at]) * 1e6) / result.spans)
    const [ownMegabytes, serverMegabytes] = await Promise.all(pids.map(peakMegabytes))
    const spansPerInsert = result.sent / (await countInserts(store.client, database))
    const distinct = await number(store.client, `SELECT uniqExact(TraceId, SpanId) FROM ${database}.otel_traces`)
    const expected = result.sent + WARM_UP.spans
    if (distinct !== expected) throw new Error(`${name}: ${distinct} of ${expected} spans are stored`)
    const spansPerSecond = result.spans / result.seconds
    return { ...result, spansPerSecond, spansPerInsert, cpu: own + server, own, server, ownMegabytes, serverMegabytes }
  } finally {
    await road.stop()
    // Not dropped: on ext4 each new file costs more for some minutes after many were deleted.
    await store.client.command({ query: `DETACH DATABASE ${database}` })
    await store.close()
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function report(name, results) {
  const of = (key, digits = 0) => Number(median(results.map((result) => result[key])).toFixed(digits))
  return {
    road: name,
    'spans/s': of('spansPerSecond'),
    'CPU s/M spans': of('cpu', 1),
    'road itself': of('own', 1),
    ClickHouse: of('server', 1),
    'spans/insert': of('spansPerInsert'),
    'road MB': of('ownMegabytes'),
    'ClickHouse MB': of('serverMegabytes'),
    'answer p50 ms': of('p50'),
    'p99 ms': of('p99'),
  }
}

async function compare(clickhouse, scenario) {
  const results = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // The road that begins takes turns, too.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name].push(await measure(clickhouse, name, scenario, round))
    }
  }
  const bytes = Math.round(Object.values(results)[0][0].bytesPerSpan)
  const { requestSpans, clients, spans, spansPerSecond } = MODES[scenario.mode]
  const pace = spansPerSecond ? `${spansPerSecond} spans/s in all` : 'as fast as they are answered'
  console.log(
    `\n${scenario.mode}, ${scenario.payload}: ${spans} spans of ${bytes} bytes, ${clients} clients, requests of ` +
      `${requestSpans}, ${pace}; medians of ${rounds} rounds`,
  )
  console.table(names.map((name) => report(name, results[name])))
  if (!results.planspan) return
  for (const name of names.filter((other) => other !== 'planspan')) {
    const ratios = results[name].map(({ cpu }, round) => cpu / results.planspan[round].cpu)
    const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ')
    console.log(`spans a CPU second, planspan / ${name}: ${median(ratios).toFixed(2)} (${range})`)
  }
}

const dataDirectory = await mkdtemp(join(options.data, 'planspan-bench-'))
if (options.explain) await logQueries(dataDirectory)
const clickhouse = await startClickHouse({ dataDirectory })
try {
  console.log(`${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`)
  for (const payload of options.payloads.split(',')) {
    for (const mode of options.modes.split(',')) await compare(clickhouse, { mode, payload })
  }
} finally {
  await clickhouse.stop()
  await rm(dataDirectory, { recursive: true, force: true })
}
