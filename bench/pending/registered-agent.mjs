// The process that is measured: plans at once, over register() or over the bare SDK with its batch processor and the
// same exporter. Prints the CPU time a span, of all that the process does: in the first wave of plans, and in the last.
// node bench/pending/registered-agent.mjs SIDE URL
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { register } from '@planspan/sdk'
import { runPlan as runBare } from '../live-api/with-bare-sdk.mjs'
import { runPlan as runPlanspan } from '../live-api/with-planspan.mjs'
import { SPANS } from '../live-api/workload.mjs'

const PLANS_AT_ONCE = 300
const WAVES = 3
const LONGEST_PAUSE_MS = 400

const [side = '', endpoint = ''] = process.argv.slice(2)
const isBare = side === 'bare'
const tracing = isBare
  ? bareSdk()
  : await register({ endpoint, ...(side === 'without snapshots' && { snapshots: false }) })
const runPlan = isBare ? runBare : runPlanspan

function bareSdk() {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return provider
}

// The same pauses on each side.
let seed = 1
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
const pause = () => sleep(random() * LONGEST_PAUSE_MS)

const micros = []
for (let wave = 0; wave < WAVES; wave++) {
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: PLANS_AT_ONCE }, (_, at) => runPlan(`plan-${wave}-${at}`, pause)))
  await tracing.forceFlush()
  const { user, system } = process.cpuUsage(before)
  micros.push((user + system) / (PLANS_AT_ONCE * SPANS))
}
await tracing.shutdown()
console.log(JSON.stringify({ first: micros[0], last: micros.at(-1) }))
