// What a hostile client can do to others: npm run build && node bench/attacks/run.mjs [--seconds 5] [--at-once 2]
// [--only WORDS;…] [--base DIRECTORY] Each attack is made against a `planspan serve` of its own, again and again for as
// long, while a neighbour asks /healthz every 50 ms and sends a span every 250 ms. With the directory of another
// checkout that is built, that one is measured instead.
import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { machine, quantile, table } from '../figures.mjs'
import { forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'
import { attacks } from './attacks.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    'at-once': { type: 'string', default: '2' },
    only: { type: 'string' },
    base: { type: 'string' },
  },
})
const seconds = Number(options.seconds)
const atOnce = Number(options['at-once'])
const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const build = options.base ?? file('../..')
const chosen = options.only?.split(';')
const names = Object.keys(attacks).filter((name) => chosen?.some((words) => name.includes(words)) ?? true)

function neighbours(url) {
  const child = spawn(process.execPath, [file('neighbours.mjs'), url], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  return async () => {
    child.stdin.end()
    let text = ''
    for await (const chunk of child.stdout) text += chunk
    await exited
    return JSON.parse(text)
  }
}

const inWords = (values) =>
  values.length === 0 ? '-' : [0.5, 0.99, 1].map((share) => Math.round(quantile(values, share))).join(' / ')

/** Each answer once, with how many times it came. */
function counted(answers) {
  const counts = new Map()
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return [...counts].map(([answer, count]) => (count === 1 ? answer : `${answer} × ${count}`)).join(', ')
}

async function measure(clickhouse, name, database) {
  const { expected, isOnce, prepare, make, send } = attacks[name]
  const server = await serve(build, ['--clickhouse', clickhouse.url, '--database', database, '--grpc-port', '0'])
  try {
    const ending = new AbortController()
    setMaxListeners(0, ending.signal)
    await prepare?.(server)
    const body = make()
    await Promise.all([forgetPeak(server.pid), forgetPeak(clickhouse.pid)])
    const end = neighbours(server.url)
    await delay(1_000)
    const until = performance.now() + seconds * 1_000
    const over = delay(seconds * 1_000)
    const answers = []
    const attacker = async () => {
      const rounds = isOnce ? 1 : Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds && (round === 0 || performance.now() < until); round++) {
        const answer = await send({ ...server, over, signal: ending.signal }, body).catch((error) =>
          String(error.cause?.code ?? error.message),
        )
        answers.push(...(isOnce ? answer.split(' ') : [answer]))
      }
    }
    await Promise.all(Array.from({ length: isOnce ? 1 : atOnce }, attacker))
    ending.abort()
    const { health, spans } = await end()
    return [
      name,
      expected,
      counted(answers),
      inWords(health.times),
      inWords(spans.times),
      health.failures.length + spans.failures.length === 0 ? 'yes' : counted([...health.failures, ...spans.failures]),
      await peakMegabytes(server.pid),
      await peakMegabytes(clickhouse.pid),
    ]
  } finally {
    await server.stop()
  }
}

const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const clickhouse = await startClickHouse({ dataDirectory: directory })
try {
  console.log(`${machine()} before; ${seconds} s an attack, ${atOnce} at once`)
  const rows = []
  for (const [number, name] of names.entries()) {
    const row = await measure(clickhouse, name, `bench_${number}`)
    console.error(row.join(' | '))
    rows.push(row)
  }
  const head = ['attack', 'expected', 'answered', 'healthz ms, p50 / p99 / most', 'a span beside it', 'intact']
  console.log(table([...head, 'peak MB of serve', 'of ClickHouse'], rows))
} finally {
  await clickhouse.stop()
  await rm(directory, { recursive: true, force: true })
}
