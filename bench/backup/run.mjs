// What a backup and a restore take, and how long senders and readers wait meanwhile; beside that, what one would do
// otherwise: stop the server and pack its directory with tar.
//   npm run build && node bench/backup/run.mjs [--plans 2000] [--data DIRECTORY]
// With --data an existing data directory is backed up, in which nothing runs; it gets a few spans more.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: { plans: { type: 'string', default: '2000' }, data: { type: 'string' } },
})
const build = fileURLToPath(new URL('../..', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const data = options.data === undefined ? join(directory, 'data') : resolve(options.data)
const file = join(directory, 'backup.tar')
/** For so long is looked at what senders and readers wait without a backup. */
const ALONE_MS = 10_000

/** Runs a command; answers how long it took, and the most memory that it had. */
async function run(command, args) {
  const begun = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const look = setInterval(() => (peak = Math.max(peak, residentBytes(child.pid))), 50)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - begun) / 1000, peak }
}

function residentBytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

const planspan = (...args) => run(process.execPath, [join(build, 'dist/cli/main.js'), ...args])

/** Asks again and again until told to end; answers how long each answer took, milliseconds. */
function keepAsking(ask) {
  const times = []
  const over = new AbortController()
  const asking = (async () => {
    for (let number = 0; !over.signal.aborted; number++) {
      const begun = performance.now()
      const answer = await ask(number)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`)
      times.push(performance.now() - begun)
    }
  })()
  return async () => {
    over.abort()
    await asking
    return times
  }
}

const hex = (number, digits) => number.toString(16).padStart(digits, '0')
const spanOf = (number) => ({
  traceId: `f${hex(number, 31)}`,
  spanId: `f${hex(number, 15)}`,
  name: 'bench',
  startTimeUnixNano: `${Date.now()}000000`,
  endTimeUnixNano: `${Date.now()}000000`,
})
const send = (url) => (number) =>
  fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [spanOf(number)] }] }] }),
  })

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  let server = await serve(build, ['--data', data])
  if (options.data === undefined) await planspan('generate', '--plans', options.plans, '--endpoint', server.url)
  const clickhouse = new URL(server.clickhouseUrl)
  const authorization = `Basic ${btoa(`${clickhouse.username}:${clickhouse.password}`)}`
  const counting = { method: 'POST', headers: { authorization }, body: 'SELECT count() FROM otel.otel_traces' }
  const rows = (await (await fetch(clickhouse.origin, counting)).text()).trim()
  console.log(`${machine()}; ${rows} rows of spans\n`)
  let sent = 0
  const clients = [() => send(server.url)(sent++), () => fetch(`${server.url}/api/records?limit=20`)]
  /** What senders and readers wait while something is done. */
  const during = async (work) => {
    const ends = clients.map(keepAsking)
    const result = await work()
    return [result, await Promise.all(ends.map((end) => end()))]
  }
  const [, alone] = await during(() => delay(ALONE_MS))
  const [backup, beside] = await during(() => planspan('backup', file, '--data', data))
  await server.stop()
  const restore = await planspan('restore', file, '--data', join(directory, 'restored'))
  const begun = performance.now()
  const tar = await run('tar', ['cf', join(directory, 'stopped.tar'), '-C', data, '.'])
  server = await serve(build, ['--data', data])
  const downMs = performance.now() - begun
  await server.stop()
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
  const size = async (name) => megabytes((await stat(join(directory, name))).size)
  const line = (name, { seconds, peak }, of) => [name, `${seconds.toFixed(1)} s`, of, megabytes(peak)]
  console.log(
    table(
      ['', 'time', 'file', 'memory'],
      [
        line('`planspan backup`, while it is served', backup, await size('backup.tar')),
        line('`planspan restore`', restore, await size('backup.tar')),
        line('stopped, `tar`', tar, await size('stopped.tar')),
      ],
    ),
  )
  const waits = (times) => [quantile(times, 0.5), Math.max(...times)].map((ms) => `${ms.toFixed(0)} ms`)
  const lines = ['a sender of a span', 'the list of plans'].map((who, at) => [
    who,
    ...waits(alone[at]),
    ...waits(beside[at]),
  ])
  console.log(`\n${table(['both at once wait', 'median', 'longest', 'during the backup', 'longest'], lines)}\n`)
  console.log(`stopped, packed and started again, nothing is taken for ${(downMs / 1000).toFixed(1)} s`)
} finally {
  await rm(directory, { recursive: true, force: true })
}
