// Two long plans side by side, over HTTP, beside both records whole and a diff of them.
// npm run build && node bench/compare/run.mjs [--spans 10000] [--rounds 10] [--payload 2000]
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { ATTR } from '../../dist/semconv/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { machine, quantile, table } from '../figures.mjs'
import { planRows } from '../fold/plan.mjs'
import { cpuSeconds, forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '10' },
    payload: { type: 'string', default: '2000' },
  },
})
const rounds = Number(options.rounds)
const spans = Number(options.spans)
const payload = 'What the page said. '.repeat(Math.ceil(Number(options.payload) / 20))

/** What becomes of the arguments of each call. */
const PLANS = {
  base: (index) => ({ url: `https://example.com/${index}` }),
  nearly: (index) => ({ url: `https://example.com/${index}${index % 500 === 250 ? '?page=2' : ''}` }),
  other: (index) => ({ query: `something else ${index}` }),
}
/** The tools of the plan that has nothing in common with the base. */
const toolOf = (name, index) => (name === 'other' ? ['read', 'write', 'ask'][(index * index) % 3] : 'browse')

const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const server = await serve(fileURLToPath(new URL('../..', import.meta.url)), ['--data', directory])
try {
  console.log(machine())
  for (const [number, name] of Object.keys(PLANS).entries()) await send(name, number)
  const results = []
  for (const [what, other] of [
    ['equal', 'base'],
    ['nearly equal', 'nearly'],
    ['totally different', 'other'],
  ]) {
    results.push([`compare, ${what}`, ...(await measure(() => get(`/api/compare?id=plan-base&id=plan-${other}`)))])
  }
  results.push(['two records and a diff, nearly equal', ...(await measure(() => recordsAndDiff('nearly')))])
  results.push(['two records and a diff, totally different', ...(await measure(() => recordsAndDiff('other')))])
  console.log(
    table([`two plans of ${spans} spans`, 'p50 ms', 'most ms', 'CPU ms of serve', 'MB', 'peak MB of serve'], results),
  )
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function send(name, number) {
  const planId = `plan-${name}`
  const rows = planRows({ spans, snapshots: 0 })
    .toSorted((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1))
    .map((row, index) => ({
      ...row,
      traceId: String(number + 1).repeat(32),
      kind: 'INTERNAL',
      attributes: {
        ...row.attributes,
        [ATTR.planId]: planId,
        [ATTR.planRootId]: planId,
        ...(row.attributes[ATTR.toolName]
          ? {
              [ATTR.toolName]: toolOf(name, index),
              [ATTR.toolCallArguments]: JSON.stringify(PLANS[name](index)),
              [ATTR.toolCallResult]: payload,
            }
          : {}),
      },
    }))
  const { rejected, reasons } = await createSpanSender({ url: `${server.url}/v1/traces` }).send(rows)
  if (rejected > 0) throw new Error(reasons.join(' '))
}

async function get(path) {
  const response = await fetch(server.url + path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.bytes ? response.bytes() : new Uint8Array(await response.arrayBuffer())
}

/** What one does without it: both records, one line a value, and their diff. */
async function recordsAndDiff(other) {
  const records = await Promise.all(['base', other].map((name) => get(`/api/records/plan-${name}`)))
  const files = ['one', 'other'].map((name) => join(directory, `${name}.json`))
  for (const [index, file] of files.entries()) {
    await writeFile(file, JSON.stringify(JSON.parse(new TextDecoder().decode(records[index])), undefined, 1))
  }
  try {
    return execFileSync('git', ['diff', '--no-index', ...files], { maxBuffer: 1 << 30 })
  } catch (error) {
    if (error.status === 1) return error.stdout
    throw error
  }
}

async function measure(ask) {
  const times = []
  let bytes = 0
  await forgetPeak(server.pid)
  let cpuBefore = 0
  for (let round = -1; round < rounds; round++) {
    if (round === 0) cpuBefore = await cpuSeconds(server.pid)
    const started = performance.now()
    bytes = (await ask()).byteLength
    if (round >= 0) times.push(performance.now() - started)
  }
  const cpu = ((await cpuSeconds(server.pid)) - cpuBefore) / rounds
  return [
    Math.round(quantile(times, 0.5)),
    Math.round(Math.max(...times)),
    Math.round(cpu * 1000),
    (bytes / 1e6).toFixed(2),
    await peakMegabytes(server.pid),
  ]
}
