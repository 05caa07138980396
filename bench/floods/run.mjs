// What floods without a token do to others: npm run build && node bench/floods/run.mjs [--seconds 3] [--only WORDS]
// [--base DIRECTORY] `planspan serve` and its ClickHouse have one core. The attacker has another one, and leaves it to
// the client that asks /healthz every 25 ms. With the directory of another checkout that is built, that is measured.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    base: { type: 'string' },
  },
})
const EVERY_MS = 25
const file = (path) => fileURLToPath(new URL(path, import.meta.url))

const HTTP2 = [
  'small calls with fresh headers',
  'calls with 60 fresh headers',
  'HPACK references',
  'rapid reset',
  'CONTINUATION',
  'PING',
  'SETTINGS',
  'empty DATA',
  'fresh connections',
  'idle connections',
]
const HTTP1 = [
  'small posts over HTTP/1',
  'gets with 60 headers over HTTP/1',
  'slow headers over HTTP/1',
  'slow bodies over HTTP/1',
]

/** Moves this process, and those that it starts from now on, to a core. */
const moveTo = (core) =>
  once(spawn('taskset', ['-a', '-p', '-c', core, String(process.pid)], { stdio: 'ignore' }), 'exit')

/** Asks at fixed times, however long the responses take. */
async function healthTimes(url) {
  const asked = []
  for (let count = 0; count < (Number(options.seconds) * 1_000) / EVERY_MS; count++) {
    const begun = performance.now()
    asked.push(
      fetch(`${url}/healthz`)
        .then((response) => response.arrayBuffer())
        .then(() => performance.now() - begun),
    )
    await delay(EVERY_MS)
  }
  return Promise.all(asked)
}

const data = await mkdtemp(join(tmpdir(), 'planspan-floods-'))
const tokens = join(data, 'tokens.json')
const create = spawn(
  process.execPath,
  [file('../../dist/cli/main.js'), 'token', '--tokens', tokens, 'create', 'sender'],
  {
    stdio: 'ignore',
  },
)
await once(create, 'exit')
const ports = ['--grpc-port', '0', '--jaeger-port', '0']
await moveTo('0')
const server = await serve(options.base ?? file('../..'), ['--data', join(data, 'store'), '--tokens', tokens, ...ports])
try {
  await moveTo('1')
  const targets = [
    ...HTTP2.flatMap((attack) => [
      [attack, 'gRPC', server.grpcUrl],
      [attack, 'Jaeger', `http://${server.jaegerEndpoint}`],
    ]),
    ...HTTP1.map((attack) => [attack, 'HTTP', server.url]),
  ].filter(([attack]) => attack.includes(options.only))
  const rows = []
  for (const [attack, port, url] of targets) {
    const attacker = spawn('taskset', [
      '-c',
      '1',
      'nice',
      '-n',
      '10',
      process.execPath,
      file('flooder.mjs'),
      attack,
      url,
    ])
    const ended = once(attacker, 'exit')
    await delay(500)
    const times = await healthTimes(server.url)
    attacker.kill('SIGKILL')
    await ended
    rows.push([attack, port, ...[0.5, 0.99, 1].map((share) => Math.round(quantile(times, share)))])
    // The server ends what the attacker has left behind.
    await delay(1_000)
  }
  console.log(machine())
  console.log(table(['flood', 'port', '/healthz p50, ms', 'p99', 'longest'], rows))
} finally {
  await server.stop()
  await rm(data, { recursive: true, force: true })
}
