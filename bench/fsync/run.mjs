// What `planspan serve --fsync` costs, beside the same without it, by turns: npm run build && node bench/fsync/run.mjs
// [--rounds 5] [--spans 200000] [--seconds 10] [--data DIRECTORY] The directory lies on the disk that is measured.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, table } from '../figures.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    spans: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '10' },
    data: { type: 'string', default: tmpdir() },
  },
})
const build = fileURLToPath(new URL('../..', import.meta.url))
const generator = fileURLToPath(new URL('../ingest/load.mjs', import.meta.url))
const SIDES = { 'as it is': [], '--fsync': ['--fsync'] }
const PROTOBUF = { encoding: 'protobuf', nested: 0 }
const PER_SECOND = 2_000
const MODES = {
  saturated: { ...PROTOBUF, mode: 'saturated', requestSpans: 512, clients: 32, spans: Number(options.spans) },
  'one client': {
    ...PROTOBUF,
    mode: 'saturated',
    requestSpans: 100,
    clients: 1,
    spans: 100 * 3 * Number(options.seconds),
  },
  light: {
    ...PROTOBUF,
    mode: 'light',
    requestSpans: 128,
    clients: 16,
    spansPerSecond: PER_SECOND,
    spans: PER_SECOND * Number(options.seconds),
  },
}

async function load(url, work, first) {
  const child = spawn(process.execPath, [generator, JSON.stringify({ ...work, url: `${url}/v1/traces`, first })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let begun
  let result
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'begin') begun = performance.now()
    else result = JSON.parse(line)
  }
  await exited
  return { ...result, spansPerSecond: result.spans / ((performance.now() - begun) / 1000) }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const directory = mkdtempSync(join(options.data, 'planspan-fsync-'))
const servers = {}
const results = []
try {
  for (const [side, args] of Object.entries(SIDES)) {
    servers[side] = await serve(build, ['--data', join(directory, side), ...args])
    await load(servers[side].url, { ...MODES.saturated, spans: 20_000 }, 1e9)
  }
  for (const [mode, work] of Object.entries(MODES)) {
    for (let round = 0; round < Number(options.rounds); round++) {
      const sides = round % 2 === 0 ? Object.keys(SIDES) : Object.keys(SIDES).toReversed()
      for (const side of sides) {
        results.push({ mode, side, ...(await load(servers[side].url, work, (results.length + 1) * 1e6)) })
      }
    }
  }
} finally {
  for (const server of Object.values(servers)) await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
const rows = Object.keys(MODES).flatMap((mode) =>
  Object.keys(SIDES).map((side) => {
    const of = (key) =>
      median(results.filter((each) => each.mode === mode && each.side === side).map((each) => each[key]))
    return [mode, side, Math.round(of('spansPerSecond')), Math.round(of('p50')), Math.round(of('p99'))]
  }),
)
console.log(`${machine()}; medians of ${options.rounds} rounds\n`)
console.log(table(['load', 'serve', 'spans/s', 'answered, p50 ms', 'p99 ms'], rows))
