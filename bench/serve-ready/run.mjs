// How long `planspan serve` takes from its spawn to its line, beside the same ClickHouse started bare until it answers.
//   npm run build && node bench/serve-ready/run.mjs [ROUNDS]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const AIM_MS = 2000
const TIMEOUT_MS = 30_000
const rounds = Number(process.argv[2] ?? 10)
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

async function end(child, signal) {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  child.kill(signal)
  await ended
}

async function serve(directory) {
  const start = performance.now()
  const args = [path('../../dist/cli/main.js'), 'serve', '--json', '--port', '0', '--data', directory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const elapsed = performance.now() - start
  await end(child, 'SIGTERM')
  return elapsed
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function bare(directory) {
  const port = await freePort()
  const start = performance.now()
  const args = [path('bare-clickhouse.mjs'), directory, String(port)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const answers = () => fetch(`http://127.0.0.1:${port}/?query=SELECT%201`).then((response) => response.ok)
  while (!(await answers().catch(() => false))) {
    deadline.throwIfAborted()
    await setTimeout(10)
  }
  const elapsed = performance.now() - start
  // Its native thread keeps the process from ending in any other way.
  await end(child, 'SIGKILL')
  return elapsed
}

const times = { 'serve, cold': [], 'serve, warm': [], 'bare, cold': [], 'bare, warm': [] }
for (let round = 0; round < rounds; round++) {
  for (const [name, measure] of Object.entries({ serve, bare })) {
    const directory = mkdtempSync(join(tmpdir(), 'planspan-bench-'))
    times[`${name}, cold`].push(await measure(join(directory, 'data')))
    times[`${name}, warm`].push(await measure(join(directory, 'data')))
    rmSync(directory, { recursive: true, force: true })
  }
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
const load = loadavg()[0].toFixed(1)
const memory = Math.round(totalmem() / 2 ** 30)
console.log(`${cpus().length} × ${cpus()[0].model}, ${memory} GB, load ${load}, Node ${process.versions.node}`)
console.log(`${rounds} rounds, milliseconds from spawn to ready; cold: a new directory, warm: used once before\n`)
for (const [name, values] of Object.entries(times)) {
  const [median, slowest] = [quantile(values, 0.5), Math.max(...values)]
  console.log(`${name.padEnd(14)} median ${median.toFixed(0).padStart(5)}  slowest ${slowest.toFixed(0).padStart(5)}`)
}
const ratio = quantile(times['serve, cold'], 0.5) / quantile(times['bare, cold'], 0.5)
console.log(`\nserve / bare, cold: ${ratio.toFixed(2)}`)
const within = quantile(times['serve, cold'], 0.5) < AIM_MS && quantile(times['serve, warm'], 0.5) < AIM_MS
console.log(`aim: medians of serve under ${AIM_MS} ms: ${within ? 'met' : 'missed'}`)
