// A long plan's outline, its structure, one of its spans, and its record whole, over HTTP.
// npm run build && node bench/structure/run.mjs [--spans 10000,45000] [--rounds 10] [--payload 2000]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { sendPlan } from './send-plan.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000,45000' },
    rounds: { type: 'string', default: '10' },
    payload: { type: 'string', default: '2000' },
  },
})
const rounds = Number(options.rounds)
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const server = await serve(fileURLToPath(new URL('../..', import.meta.url)), ['--data', directory])
try {
  console.log(machine())
  for (const spans of options.spans.split(',').map(Number)) await measure(spans)
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function measure(spans) {
  const { planId, rows } = await sendPlan(server.url, { spans, payload: Number(options.payload) })
  const path = `/api/records/${planId}`
  const results = []
  for (const [what, at] of [
    ['top', `${path}?fields=top`],
    ['outline', `${path}?fields=outline`],
    ['structure', `${path}?fields=structure`],
    ['one span', `${path}/spans/${rows[Math.floor(spans / 2)].spanId}`],
    ['record', path],
    ['all spans', `${path}/spans`],
  ]) {
    const times = []
    let bytes = 0
    for (let round = -1; round < rounds; round++) {
      const started = performance.now()
      const response = await fetch(server.url + at)
      bytes = (await response.arrayBuffer()).byteLength
      if (!response.ok) throw new Error(`${at}: ${response.status}`)
      if (round >= 0) times.push(performance.now() - started)
    }
    results.push([what, Math.round(quantile(times, 0.5)), Math.round(Math.max(...times)), (bytes / 1e6).toFixed(1)])
  }
  console.log(table([`${spans} spans`, 'p50 ms', 'most ms', 'MB'], results))
}
