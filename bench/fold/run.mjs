// The record out of the rows of a large plan and its snapshots, beside what someone would do by hand who needs no
// record: read the rows as JSON, take the latest of each span and put them below each other. npm run build && node
// --expose-gc bench/fold/run.mjs [--spans 10000] [--snapshots 30000] [--rounds 15]
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'

import { decodeRecord, foldSpans } from '../../dist/mapping/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { planRows } from './plan.mjs'

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000' },
    snapshots: { type: 'string', default: '30000' },
    rounds: { type: 'string', default: '15' },
  },
})
const [spans, snapshots, rounds] = [values.spans, values.snapshots, values.rounds].map(Number)

/** CPU time of the process, garbage collection included, milliseconds: the median of the rounds after a warm-up. */
function time(work) {
  for (let i = 0; i < 3; i++) work()
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }).sort((a, b) => a - b)
  return { median: times[Math.floor(rounds / 2)], slowest: times.at(-1) }
}

/** What is held and what was made on the way, megabytes. */
function memory(work) {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const result = work()
  const peak = process.memoryUsage().heapUsed
  globalThis.gc?.()
  const kept = process.memoryUsage().heapUsed
  return { allocated: (peak - before) / 1e6, kept: (kept - before) / 1e6, result }
}

const toJson = (rows) => JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

/** The latest row of each span below its parent, as data. */
function byHand(json) {
  const latest = new Map()
  for (const row of JSON.parse(json)) {
    const id = row.attributes[ATTR.pendingSpanId] ?? row.spanId
    const seq = Number(row.attributes[ATTR.snapshotSeq] ?? Infinity)
    const other = latest.get(id)
    if (!other || seq > other.seq) latest.set(id, { row, seq, children: [] })
  }
  for (const { row } of latest.values()) {
    latest.get(row.attributes[ATTR.pendingParentSpanId] ?? row.parentSpanId)?.children.push(row.spanId)
  }
  return latest
}

console.log(
  `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
)
const PLANS = {
  'ended, no snapshots': { snapshots: 0 },
  ended: {},
  running: { ended: 0.9 },
  'ended, three segments': { segments: 3 },
}
const table = Object.entries(PLANS).map(([plan, options]) => {
  const rows = planRows({ spans, snapshots, ...options })
  const now = rows.reduce((last, { endTimeUnixNano }) => (endTimeUnixNano > last ? endTimeUnixNano : last), 0n)
  const json = toJson(rows)
  const fold = time(() => foldSpans(rows))
  const decode = time(() => decodeRecord(rows, { now }))
  const parse = time(() => JSON.parse(json))
  const hand = time(() => byHand(json))
  const { result, ...used } = memory(() => decodeRecord(rows, { now }))
  return {
    plan,
    rows: rows.length,
    state: result.state,
    verdict: result.verdict,
    'record, MB': (result.text.length / 1e6).toFixed(1),
    'fold, ms': fold.median.toFixed(0),
    'record out of rows, ms': `${decode.median.toFixed(0)} (slowest ${decode.slowest.toFixed(0)})`,
    'JSON.parse of the rows, ms': parse.median.toFixed(0),
    'tree by hand out of JSON, ms': hand.median.toFixed(0),
    'heap for it, MB': used.allocated.toFixed(0),
    'kept, MB': used.kept.toFixed(1),
  }
})
console.table(table)
