// What it costs to show plans while they run: time a span, bytes, memory; and whether each snapshot is of its own plan.
// npm run build && node bench/pending/run.mjs [--plans 200] [--seconds 15]; 60 seconds for the figures
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'

import { readReady } from '../serve.mjs'

const { values } = parseArgs({
  options: { plans: { type: 'string', default: '200' }, seconds: { type: 'string', default: '15' } },
})
const { plans, seconds } = values
const here = import.meta.dirname
const run = promisify(execFile)
const MAX_BUFFER = 1 << 26

/** @typedef {{ plans: number, spans: number, cpuSeconds: number, bytes: number, requests: number,
 *   memory: { heapMB: number, rssMB: number }[], drops: Record<string, number> }} Side */

const data = mkdtempSync(join(tmpdir(), 'planspan-pending-'))
const server = spawn(
  process.execPath,
  [join(here, '../../dist/cli/main.js'), 'serve', '--port', '0', '--json', '--data', data],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const [line] = await once(createInterface(server.stdout), 'line')
  const { url, clickhouseUrl } = readReady(String(line))

  /** @param {string} snapshots @returns {Promise<Side>} */
  const agents = async (snapshots) => {
    const args = ['--expose-gc', join(here, 'agents.mjs'), url, plans, seconds, snapshots]
    const { stdout } = await run(process.execPath, args, { maxBuffer: MAX_BUFFER })
    return JSON.parse(stdout)
  }
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, ${plans} plans at once, ${seconds} s`,
  )
  const short = JSON.parse((await run(process.execPath, [join(here, 'short-spans.mjs')])).stdout)
  console.log(
    `spans that end at once: ${short.without.toFixed(2)} µs CPU a span without, ${short.with.toFixed(2)} with the processor`,
  )
  const off = await agents('off')
  const on = await agents('on')
  const { snapshots, wrong } = await check(clickhouseUrl)
  for (const [name, side] of /** @type {const} */ ([
    ['without snapshots', off],
    ['with snapshots', on],
  ])) {
    const { heap, rss } = quarters(side.memory)
    console.log(
      `${name}: ${side.plans} plans, ${side.spans} spans, ${Math.round((side.cpuSeconds * 1e6) / side.spans)} µs CPU a span, ` +
        `${Math.round(side.bytes / side.spans)} bytes sent a span, ${side.requests} requests, dropped ${JSON.stringify(side.drops)}`,
    )
    console.log(`  heap after gc, MB, by quarters of the time: ${heap}; resident: ${rss}`)
  }
  const added = on.bytes - off.bytes * (on.spans / off.spans)
  console.log(
    `${snapshots} snapshots, ${(snapshots / on.spans).toFixed(2)} a span, ${Math.round(added / snapshots)} bytes and ` +
      `${Math.round(((on.cpuSeconds - off.cpuSeconds * (on.spans / off.spans)) * 1e6) / snapshots)} µs CPU each, ` +
      `${(snapshots / Number(plans) / Number(seconds)).toFixed(2)} a second and plan`,
  )
  console.log(`snapshots that tell another trace, plan, parent, name or start than their span: ${wrong}`)
  const hasDropped = Object.values(on.drops).some((count) => count > 0)
  process.exitCode = wrong === 0 && !hasDropped ? 0 : 1
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(data, { recursive: true, force: true })
}

/** @param {string} clickhouse @returns {Promise<{ snapshots: number, wrong: number }>} */
async function check(clickhouse) {
  const { origin, username, password } = new URL(clickhouse)
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const body = readFileSync(join(here, 'wrong.sql'), 'utf8')
  const response = await fetch(origin, { method: 'POST', headers: { authorization }, body })
  if (!response.ok) throw new Error(await response.text())
  return JSON.parse(await response.text())
}

/** @param {Side['memory']} memory */
function quarters(memory) {
  const size = Math.floor(memory.length / 4)
  /** @param {'heapMB' | 'rssMB'} what */
  const peaks = (what) =>
    [0, 1, 2, 3]
      .map((at) => Math.round(Math.max(...memory.slice(at * size, (at + 1) * size).map((sample) => sample[what]))))
      .join(', ')
  return { heap: peaks('heapMB'), rss: peaks('rssMB') }
}
