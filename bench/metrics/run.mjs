// Measures the duration of a scrape of /metrics, and the cost of counting received spans.
//   npm run build && node bench/metrics/run.mjs [--plans 3300] [--data DIRECTORY]
// With --data an existing data directory is asked, in which nothing runs, and nothing is sent to it.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { RequestMeter } from '../../dist/server/metrics/request-meter.js'
import { IngestMeter } from '../../dist/store/metrics/index.js'
import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { until } from '../settle.mjs'
import { samplesOf } from './samples.mjs'

const { values: options } = parseArgs({
  options: { plans: { type: 'string', default: '3300' }, data: { type: 'string' } },
})
const build = fileURLToPath(new URL('../..', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const data = options.data === undefined ? join(directory, 'data') : resolve(options.data)
const SCRAPES = 100
/** The longest wait for the first count of plans, milliseconds. */
const COUNTED_MS = 600_000

/** What it costs to count a span, in processor time of this process, nanoseconds. */
async function countingCost() {
  const [requests, spans] = [2_000, 512]
  const ends = Array.from({ length: spans }, () => Date.now() - 300)
  const request = { encoding: 'protobuf', body: new Uint8Array(0), spans, ends }
  const meter = new IngestMeter()
  const stored = { rejectedSpans: 0, errorMessage: '' }
  const writer = new RequestMeter().counted({ check() {}, write: () => meter.time([request], async () => [stored]) })
  const rounds = []
  for (let round = 0; round < 9; round++) {
    const begun = process.cpuUsage()
    for (let number = 0; number < requests; number++) await writer.write(request)
    const { user, system } = process.cpuUsage(begun)
    rounds.push(((user + system) * 1_000) / (requests * spans))
  }
  return quantile(rounds, 0.5)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  console.log(`${machine()}, Node ${process.versions.node}`)
  console.log(`\nto count a span where it comes in and where it is stored: ${(await countingCost()).toFixed(0)} ns`)
  const server = await serve(build, ['--data', data])
  if (options.data === undefined) {
    const generate = ['generate', '--plans', options.plans, '--seed', 'metrics', '--endpoint', server.url]
    execFileSync(process.execPath, [join(build, 'dist/cli/main.js'), ...generate], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const begun = performance.now()
  await samplesOf(server.url)
  const firstMs = performance.now() - begun
  await until(
    'plans are counted',
    async () => (await samplesOf(server.url)).has('planspan_counted_age_seconds{of="plans"}'),
    COUNTED_MS,
  )
  const countedMs = performance.now() - begun
  const times = []
  let size = 0
  for (let scrape = 0; scrape < SCRAPES; scrape++) {
    const asked = performance.now()
    size = (await (await fetch(`${server.url}/metrics`)).text()).length
    times.push(performance.now() - asked)
  }
  console.log('\nscrapes after a start:\n')
  console.log(
    table(
      ['first answer', 'plans counted after', `${SCRAPES} more, p50`, 'p95', 'longest', 'size'],
      [
        [
          `${firstMs.toFixed(0)} ms`,
          `${(countedMs / 1000).toFixed(1)} s`,
          ...[0.5, 0.95, 1].map((share) => `${quantile(times, share).toFixed(1)} ms`),
          `${(size / 1000).toFixed(1)} kB`,
        ],
      ],
    ),
  )
  await server.stop()
} finally {
  await rm(directory, { recursive: true, force: true })
}
