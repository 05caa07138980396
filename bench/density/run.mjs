// A store as a billion spans a day fill it: what is read of it, its starts, its disk, its inserts.
//   npm run build && npm run dashboards && node bench/density/run.mjs [--spans 10000000] [--layout density|month]
//   [--only insert,rebuild,reads,list,views,dashboards,export,start,disk] [--rounds 200] [--stock]
//   [--foreign] [--base DIRECTORY] [--data DIRECTORY]
// With --foreign every second plan is told as another instrumentation would; then --only insert,list,views,disk.
// The layout "density" has the spans in 15 minutes, "month" in 30 days. With the directory of another checkout that is
// built, that one is measured by turns with this one. With --data the spans are kept: the next run over them measures
// only, and its builds upgrade their schema as they start. --rounds counts the plans that are read; the other figures
// take a share of it. --stock adds the disk of the collector's own table.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { machine, table } from '../figures.mjs'
import { indexed, settle } from '../settle.mjs'
import { Build } from './build.mjs'
import { measureDashboards } from './dashboards.mjs'
import { measureDisk } from './disk.mjs'
import { measureExport } from './export.mjs'
import { measureList } from './list.mjs'
import { madeBefore, make, MERGE_LIMIT_MS, windowOf } from './make.mjs'
import { measureReads } from './reads.mjs'
import { measureRebuild } from './rebuild.mjs'
import { measureStart } from './start.mjs'
import { measureViews } from './views.mjs'

const PIECES = ['insert', 'rebuild', 'reads', 'list', 'views', 'dashboards', 'export', 'start', 'disk']
const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000000' },
    layout: { type: 'string', default: 'density' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '200' },
    stock: { type: 'boolean', default: false },
    foreign: { type: 'boolean', default: false },
    base: { type: 'string' },
    data: { type: 'string' },
  },
})
const { layout, stock } = options
const asked = options.only?.split(',') ?? PIECES
const unknown = asked.find((name) => !PIECES.includes(name))
if (unknown !== undefined) throw new Error(`--only takes ${PIECES.join(', ')}, not ${unknown}`)
const wanted = { spans: Number(options.spans), layout, foreign: options.foreign }
const rounds = Number(options.rounds)
const few = Math.ceil(rounds / 70)
const window = windowOf(layout)
const DAY = 86_400_000

const pieces = {
  rebuild: (builds) => measureRebuild(builds, rounds),
  reads: measureReads,
  list: (builds) => measureList(builds, Math.ceil(rounds / 10), window),
  views: (builds) => measureViews(builds, few, periods()),
  dashboards: (builds) => measureDashboards(builds, few, window),
  export: measureExport,
  start: (builds) => measureStart(builds, few),
  disk: (builds) => measureDisk(builds, { stock }),
}

/** Conditions on Timestamp. */
function periods() {
  if (layout === 'density') return { 'The 15 minutes': 'true' }
  const day = (until) => {
    const [since, to] = [until - DAY, until].map((time) => new Date(time).toISOString().slice(0, 19).replace('T', ' '))
    return `Timestamp >= '${since}' AND Timestamp < '${to}'`
  }
  const { from, until } = window
  return { 'A day in the middle': day((from + until) / 2), 'The last day': day(until), 'The month': 'true' }
}

const kept = []

async function fill(build) {
  const made = await madeBefore(build.client)
  if (made === undefined) return make(build, wanted)
  if (made.layout !== layout || Number(made.spans) !== wanted.spans) {
    throw new Error(`${build.directory} holds ${made.spans} spans, layout ${made.layout}: remove it, or ask for these`)
  }
  kept.push(
    `${build.name}: the spans of an earlier run, their schema upgraded in a start of ${build.server.readyMs.toFixed(0)} ms`,
  )
  await settle(build.client, build.database, MERGE_LIMIT_MS)
  return undefined
}

const directory = options.data === undefined ? await mkdtemp(join(tmpdir(), 'planspan-bench-')) : resolve(options.data)
const checkouts = {
  'this build': fileURLToPath(new URL('../..', import.meta.url)),
  ...(options.base && { base: resolve(options.base) }),
}
const builds = Object.entries(checkouts).map(
  ([name, checkout]) => new Build(name, checkout, join(directory, name.replace(' ', '-'))),
)
// So that the servers end, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  const made = []
  for (const build of builds) {
    await build.start()
    const figures = await fill(build)
    if (figures) made.push({ build: build.name, ...figures })
    await indexed(build.url, MERGE_LIMIT_MS)
    await settle(build.client, build.database, MERGE_LIMIT_MS)
  }
  const [first] = builds
  const [{ version, rows }] = await first.rows(
    'SELECT version() AS version, toFloat64(count()) AS rows FROM otel_traces',
  )
  console.log(`${machine()}; ClickHouse ${version}; ${rows} spans, layout ${layout}`)
  for (const line of kept) console.log(line)
  if (made.length > 0) console.log(`\n## insert\n\n${table(Object.keys(made[0]), made.map(Object.values))}`)
  for (const [name, measure] of Object.entries(pieces)) {
    if (!asked.includes(name)) continue
    console.log(`\n## ${name}\n`)
    console.log(await measure(builds))
  }
} finally {
  for (const build of builds) await build.stop()
  if (options.data === undefined) await rm(directory, { recursive: true, force: true })
}
