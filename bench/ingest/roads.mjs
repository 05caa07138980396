// The two roads into one ClickHouse: a stock collector, and `planspan serve`. Each is one process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { buildGoBinary } from '../../scripts/go-binaries.mjs'
import { freePorts } from '../free-ports.mjs'
import { until } from '../settle.mjs'

const file = (path) => fileURLToPath(new URL(path, import.meta.url))

const configuration = file('../../collector-config/agent.yaml')
/** Options of Node for planspan's process, such as `--cpu-prof`. */
const nodeOptions = (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)
const IN_MEMORY = 'yaml:exporters::clickhouse::sending_queue::storage: null'

async function startCollector({ clickhouse, database, directory }, configurations) {
  const { username, password } = new URL(clickhouse.url)
  const [http, grpc, health, metrics] = await freePorts(4)
  const program = await buildGoBinary('collector')
  const child = spawn(
    program,
    configurations.map((each) => `--config=${each}`),
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        OTLP_HTTP_ENDPOINT: `127.0.0.1:${http}`,
        OTLP_GRPC_ENDPOINT: `127.0.0.1:${grpc}`,
        HEALTH_ENDPOINT: `127.0.0.1:${health}`,
        METRICS_PORT: String(metrics),
        QUEUE_DIRECTORY: join(directory, `queue-${database}`),
        CLICKHOUSE_ENDPOINT: `tcp://127.0.0.1:${clickhouse.nativePort}`,
        CLICKHOUSE_USER: username,
        CLICKHOUSE_PASSWORD: password,
        CLICKHOUSE_DATABASE: database,
      },
    },
  )
  let log = ''
  child.stderr.on('data', (data) => (log = (log + data).slice(-4000)))
  const deadline = Date.now() + 20_000
  while (!(await isReady(`http://127.0.0.1:${health}`))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The collector does not start:\n${log}`)
    await delay(50)
  }
  return running(child, `http://127.0.0.1:${http}`)
}

/** Each starts one process and returns `{ pid, url, stop() }`, and `caughtUp()` if it indexes; `url` takes OTLP. */
export const roads = {
  /** As collector-config/agent.yaml has it: what it has acknowledged is on the disk. */
  collector: (target) => startCollector(target, [configuration]),

  /** Its queue in memory: faster, and lost when it dies. */
  'collector, queue in memory': (target) => startCollector(target, [configuration, IN_MEMORY]),

  /** What it has acknowledged is in ClickHouse. */
  planspan: planspanOf(file('../..')),

  /** The same receiver without the indexer, whose share is the difference. */
  'planspan, no indexer': ({ clickhouse, database }) => startNode(file('unindexed.mjs'), [clickhouse.url, database]),
}

/** The roads that are compared unless others are named. */
export const USUAL = ['collector', 'collector, queue in memory', 'planspan']

/** The road of a checkout that is built. */
export function planspanOf(checkout) {
  return async ({ clickhouse, database }) => {
    const args = `serve --clickhouse ${clickhouse.url} --database ${database} --port 0 --json`.split(' ')
    const road = await startNode(join(checkout, 'dist/cli/main.js'), args)
    return { ...road, caughtUp: () => until('all spans are indexed', () => isCaughtUp(new URL(road.url).origin)) }
  }
}

async function startNode(script, args) {
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return running(child, JSON.parse(line).url)
  throw new Error('planspan ended before it listened')
}

const running = (child, url) => ({
  pid: child.pid,
  url: `${url}/v1/traces`,
  async stop() {
    if (child.exitCode !== null) throw new Error(`The road ended by itself with ${child.exitCode}`)
    child.kill('SIGTERM')
    await once(child, 'exit')
  },
})

/** Whether all spans are indexed once a list has waited for that: asking costs both processes little. */
async function isCaughtUp(url) {
  await (await fetch(`${url}/api/records?limit=1`)).arrayBuffer()
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return /^planspan_indexer_pending_rows 0$/m.test(metrics)
}

const isReady = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
