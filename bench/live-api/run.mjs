// The live API against the bare OpenTelemetry SDK doing the same spans: CPU time a span, ratio, memory.
// npm run build && node --expose-gc bench/live-api/run.mjs
import assert from 'node:assert/strict'
import { cpus } from 'node:os'
import process from 'node:process'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { PlanspanProcessor } from '@planspan/sdk'
import { runPlan as runBare } from './with-bare-sdk.mjs'
import { runPlan as runPlanspan } from './with-planspan.mjs'
import { SPANS } from './workload.mjs'

const ROUNDS = 61
const WARM_UP_ROUNDS = 10
const PLANS_A_ROUND = 60
const MAX_RATIO = 1.25
const MAX_EXTRA_MICROS = 10

/**
 * @typedef {{ name: string, run: (planId: string) => Promise<unknown>, install: () => void, micros: number[] }} Side
 */
/** @typedef {import('@opentelemetry/sdk-trace-base').ReadableSpan} ReadableSpan */
/** @typedef {import('@opentelemetry/sdk-trace-base').SpanProcessor} SpanProcessor */

/** @type {ReadableSpan[] | undefined} */
let kept
/** @type {SpanProcessor} */
const sink = {
  onStart: () => undefined,
  onEnd: (span) => void kept?.push(span),
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}

/** @param {SpanProcessor[]} spanProcessors */
function use(spanProcessors) {
  trace.disable()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
}

/** @type {Side} */
const bare = { name: 'bare SDK', run: runBare, install: () => use([sink]), micros: [] }
/** @type {Side} */
const planspan = {
  name: 'planspan',
  run: runPlanspan,
  install: () => use([new PlanspanProcessor(), sink]),
  micros: [],
}

/** @param {Side} side */
async function spansOf({ install, run }) {
  install()
  kept = []
  await run('plan-1')
  const spans = kept.map(({ name, kind, attributes, events }) => ({
    name,
    kind,
    attributes: Object.fromEntries(Object.entries(attributes).toSorted()),
    events: events.map((event) => [event.name, event.attributes]),
  }))
  kept = undefined
  return spans
}

// CPU time: what others do on the machine at the same time is not in it.
/** @param {Side} side */
async function round({ install, run, micros }) {
  install()
  const before = process.cpuUsage()
  for (let count = 0; count < PLANS_A_ROUND; count++) await run(`plan-${count}`)
  const { user, system } = process.cpuUsage(before)
  micros.push((user + system) / (PLANS_A_ROUND * SPANS))
}

/** @param {Side} side */
async function allocated({ install, run }) {
  if (!globalThis.gc) return ''
  install()
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 20; count++) await run(`plan-${count}`)
  return `, ${Math.round((process.memoryUsage().heapUsed - before) / (20 * SPANS))} bytes allocated a span`
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

context.setGlobalContextManager(new AsyncLocalStorageContextManager())
const made = await spansOf(planspan)
assert.deepEqual(made, await spansOf(bare), 'both sides make the same spans')
assert.equal(made.length, SPANS)

for (let at = -WARM_UP_ROUNDS; at < ROUNDS; at++) {
  if (at === 0) for (const { micros } of [bare, planspan]) micros.length = 0
  for (const side of at % 2 ? [bare, planspan] : [planspan, bare]) await round(side)
}

console.log(
  `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, ${ROUNDS} interleaved rounds, medians`,
)
for (const side of [bare, planspan]) {
  console.log(`${side.name} ${median(side.micros).toFixed(2)} µs CPU a span${await allocated(side)}`)
}
const ratio = median(planspan.micros.map((micros, at) => micros / (bare.micros[at] ?? Number.NaN)))
const extra = median(planspan.micros) - median(bare.micros)
const met = ratio <= MAX_RATIO && extra <= MAX_EXTRA_MICROS
console.log(
  `ratio ${ratio.toFixed(3)} (aim ${MAX_RATIO}), ${extra.toFixed(2)} µs a span on top (aim ${MAX_EXTRA_MICROS}): ` +
    (met ? 'met' : 'missed'),
)
process.exitCode = met ? 0 : 1
