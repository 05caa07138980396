// How long small senders wait for `planspan serve`, and what those lose that don't wait: node bench/senders/run.mjs
// [--requests 20] [--spans 100] [--seconds 20] [--data DIRECTORY] [--build DIRECTORY] Serial clients of several
// languages, one request in flight each, alone and beside agents that export every few seconds; then, each alone,
// senders at 2,000 spans a second with the default settings of their SDK and with larger batches. What the machine has
// no tools for is left out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createStore } from '../../dist/store/index.js'
import { answerOf } from '../../scripts/build-cache.mjs'
import { machine, quantile, table } from '../figures.mjs'
import { makeRequests, renumber } from '../ingest/spans.mjs'
import { serve } from '../serve.mjs'
import { number } from '../settle.mjs'
import { buildTelemetrygen } from './telemetrygen.mjs'

const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const client = (name) => file(`clients/${name}`)

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '20' },
    spans: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    data: { type: 'string', default: tmpdir() },
    build: { type: 'string', default: file('../..') },
  },
})
const ROUNDS = 3
const SPANS_PER_SECOND = 2000
const COMPANY = { mode: 'light', encoding: 'protobuf', nested: 0, requestSpans: 128, clients: 40, spansPerSecond: 1000 }

const directory = mkdtempSync(join(options.data, 'planspan-bench-'))
const goClient = join(directory, 'client')

/** The clients: what has to answer, and what runs them with a URL and a directory of requests. */
const CLIENTS = {
  'Node.js fetch': [
    ['node', '--version'],
    ['node', client('fetch.mjs')],
  ],
  'Node.js http': [
    ['node', '--version'],
    ['node', client('http.mjs')],
  ],
  'Python requests': [
    ['python3', '-c', 'import requests'],
    ['python3', client('requests_session.py')],
  ],
  'Go net/http': [['go', 'build', '-o', goClient, client('client.go')], [goClient]],
  'Java HttpClient': [
    ['java', '--version'],
    ['java', client('Client.java')],
  ],
  'curl, one by one': [
    ['curl', '--version'],
    ['sh', client('curl.sh')],
  ],
}

/** Runs a program and answers its lines of output. */
async function run([command, ...args], { quiet = false, env = {} } = {}) {
  const stdio = ['ignore', 'pipe', quiet ? 'pipe' : 'inherit']
  const child = spawn(command, args, { stdio, env: { ...process.env, ...env } })
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  const said = Buffer.concat(chunks).toString()
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.slice(-1000)}`)
  return said.split('\n')
}

let written = 0
/** The agents of the company are the first. */
let senders = COMPANY.clients
const requests = makeRequests({ encoding: 'protobuf', nested: 0, size: Number(options.spans), count: 8 })

/** Writes requests of a new sender, each with traces of its own, into a directory. */
function writeRequests() {
  const sender = senders++
  const folder = join(directory, `requests-${sender}`)
  mkdirSync(folder)
  for (let request = 0; request < Number(options.requests); request++) {
    written++
    const body = renumber(requests[written % requests.length], written, sender)
    writeFileSync(join(folder, String(request).padStart(6, '0')), body)
  }
  return folder
}

/** Sends requests with each client by turns, so that other work on the machine meets all alike. */
async function serial(url, names) {
  const took = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const lines = await run([...CLIENTS[name][1], url, writeRequests()])
      // The first opens the connection, and some clients warm up.
      took.get(name).push(...lines.filter(Boolean).map(Number).slice(2))
    }
  }
  const rows = [...took].map(([name, each]) => {
    const mean = each.reduce((sum, one) => sum + one, 0) / each.length
    return [name, (1000 / mean).toFixed(1), quantile(each, 0.5).toFixed(0), quantile(each, 0.95).toFixed(0)]
  })
  return table(['client', 'requests/s', 'p50 ms', 'p95 ms'], rows)
}

/** Agents that export every few seconds until they are stopped. */
async function startCompany(url) {
  const work = { ...COMPANY, url, spans: 1e9, first: 1 << 20 }
  const child = spawn(process.execPath, [file('../ingest/load.mjs'), JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It says so when each agent has sent once.
  await once(child.stdout, 'data')
  return async () => {
    child.kill()
    await once(child, 'exit')
  }
}

/** Spans that a program ended, and those that are stored once it has ended. */
async function storedOf(store, made) {
  const count = async () => {
    // planspan's readers wait for what is acknowledged, other than a query.
    await (await fetch(`${server.url}/api/records`)).text()
    return number(store.client, `SELECT count() FROM ${store.database}.otel_traces`)
  }
  const before = await count()
  const ended = await made()
  return [ended, (await count()) - before]
}

/** Senders with the default settings of their SDK, and with larger batches; each answers how many spans it ended. */
const SENDERS = {
  'telemetrygen, HTTP': ({ url }) => telemetrygen(['--otlp-http', '--otlp-endpoint', new URL(url).host]),
  'telemetrygen, gRPC': ({ grpcUrl }) => telemetrygen(['--otlp-endpoint', new URL(grpcUrl).host]),
  'telemetrygen, HTTP, --batch-size 1000': ({ url }) =>
    telemetrygen(['--otlp-http', '--otlp-endpoint', new URL(url).host, '--batch-size', '1000']),
  'SDK for Node.js': ({ url }) => sdk(url),
  'SDK for Node.js, batches of 2048, queue of 8192': ({ url }) =>
    sdk(url, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048', OTEL_BSP_MAX_QUEUE_SIZE: '8192' }),
}

async function sdk(url, env) {
  const program = ['node', client('sdk.mjs'), `${url}/v1/traces`, String(SPANS_PER_SECOND), options.seconds]
  const [ended] = await run(program, { env })
  return Number(ended)
}

async function telemetrygen(endpoint) {
  const pace = ['--rate', String(SPANS_PER_SECOND), '--duration', `${options.seconds}s`]
  const said = await run([await buildTelemetrygen(), 'traces', '--otlp-insecure', ...endpoint, ...pace], {
    quiet: true,
  })
  const traces = said.map((line) => /traces generated.*"traces": (\d+)/.exec(line)?.[1]).find(Boolean)
  // Each trace is a span and its child.
  return Number(traces) * 2
}

const server = await serve(options.build, ['--data', join(directory, 'data'), '--grpc-port', '0'])
const store = createStore({ url: server.clickhouseUrl, database: server.database })
try {
  console.log(machine())
  const names = Object.keys(CLIENTS).filter((name) => {
    const isThere = answerOf(CLIENTS[name][0]) !== undefined
    if (!isThere) console.log(`${name} is left out: ${CLIENTS[name][0].join(' ')} fails.`)
    return isThere
  })
  const url = `${server.url}/v1/traces`
  const each = `${ROUNDS} times ${options.requests} requests of ${options.spans} spans, one after another`
  console.log(`\nEach client alone, by turns ${each}\n\n${await serial(url, names)}`)
  const { clients, spansPerSecond, requestSpans } = COMPANY
  const stop = await startCompany(url)
  const seconds = ((clients * requestSpans) / spansPerSecond).toFixed(1)
  console.log(`\nBeside ${clients} agents with a request every ${seconds} s each\n\n${await serial(url, names)}`)
  await stop()
  const rows = []
  for (const [name, send] of Object.entries(SENDERS)) {
    const [ended, stored] = await storedOf(store, () => send(server))
    rows.push([name, ended, stored, `${((stored / ended) * 100).toFixed(1)} %`])
  }
  console.log(`\nEach sender alone, ${SPANS_PER_SECOND} spans/s for ${options.seconds} s\n`)
  console.log(table(['sender', 'spans ended', 'stored', ''], rows))
  console.log(`\n${machine()}`)
} finally {
  await store.close()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
