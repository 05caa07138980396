// What the pending-span processor adds to a span that ends before it would be shown. Prints one JSON line.
import process from 'node:process'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { PendingSpanProcessor, PlanspanProcessor } from '@planspan/sdk'
import { runPlan } from '../live-api/with-planspan.mjs'
import { SPANS } from '../live-api/workload.mjs'

const ROUNDS = 61
const WARM_UP_ROUNDS = 10
const PLANS_A_ROUND = 60

const sink = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}
const sides = [
  { processor: sink, micros: /** @type {number[]} */ ([]) },
  { processor: new PendingSpanProcessor(sink), micros: /** @type {number[]} */ ([]) },
]

/** @param {typeof sides[number]} side */
async function round({ processor, micros }) {
  trace.disable()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new PlanspanProcessor(), processor] }))
  const before = process.cpuUsage()
  for (let count = 0; count < PLANS_A_ROUND; count++) await runPlan(`plan-${count}`)
  const { user, system } = process.cpuUsage(before)
  micros.push((user + system) / (PLANS_A_ROUND * SPANS))
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

context.setGlobalContextManager(new AsyncLocalStorageContextManager())
for (let at = -WARM_UP_ROUNDS; at < ROUNDS; at++) {
  if (at === 0) for (const { micros } of sides) micros.length = 0
  for (const side of at % 2 ? sides : sides.toReversed()) await round(side)
}
const [without = Number.NaN, withIt = Number.NaN] = sides.map(({ micros }) => median(micros))
console.log(JSON.stringify({ without, with: withIt }))
