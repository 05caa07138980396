// The process that is measured: many plans at once over register(), for some seconds; prints one JSON line.
// node --expose-gc bench/pending/agents.mjs ENDPOINT PLANS SECONDS on|off
import { subscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { dropCounts, plan, register } from '@planspan/sdk'

const [endpoint = '', plans = '200', seconds = '10', snapshots = 'on'] = process.argv.slice(2)
const MODEL_INPUT = 'The page lists three fares; the cheapest one leaves at nine in the morning. '.repeat(25)
const MODEL_OUTPUT = 'Take the one at nine. '.repeat(20)
const REQUEST = 'Find me a flight to Lisbon, a hotel near the river, and book both. '.repeat(8)
const AGENTS = 3
const CYCLES = 5

/** @type {Map<unknown, number>} */
const bytesOf = new Map()
let requests = 0
subscribe('http.client.response.finish', (message) => {
  const { request } = /** @type {{ request: import('node:http').ClientRequest }} */ (message)
  requests++
  if (request.socket) bytesOf.set(request.socket, request.socket.bytesWritten)
})

const tracing = await register({ endpoint, serviceName: 'bench', ...(snapshots === 'off' && { snapshots: false }) })

// The same pauses in each run; how long a plan takes must not differ between the sides.
let seed = 1
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
/** @param {number} from @param {number} to */
const pause = (from, to) => sleep(from + random() * (to - from))

const until = Date.now() + Number(seconds) * 1_000
let done = 0
let spans = 0

/** @param {number} slot */
async function workOn(slot) {
  await pause(0, 2_000)
  while (Date.now() < until) {
    const planId = `plan-${slot}-${process.pid}-${done++}`
    await plan({ workflow: 'trip', planId, title: planId, request: REQUEST }, async (p) => {
      p.message({ role: 'user', content: `of ${planId}` })
      for (let agent = 0; agent < AGENTS; agent++) {
        await p.agent({ name: 'worker', step: agent, request: planId }, async (a) => {
          for (let cycle = 0; cycle < CYCLES && Date.now() < until; cycle++) {
            await a.cycle(async (c) => {
              await c.model({ model: 'model-1', input: MODEL_INPUT }, async (m) => {
                await pause(200, 1_500)
                m.output(MODEL_OUTPUT)
                m.usage({ input: 1850, output: 240 })
              })
              await c.tool({ name: 'search', arguments: { planId, cycle } }, () => pause(20, 800).then(() => planId))
              spans += 3
            })
          }
        })
        spans++
      }
    })
    spans++
  }
}

/** @type {{ heapMB: number, rssMB: number }[]} */
const memory = []
const sampler = setInterval(() => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  memory.push({ heapMB: heapUsed / 1e6, rssMB: rss / 1e6 })
}, 1_000)

const before = process.cpuUsage()
await Promise.all(Array.from({ length: Number(plans) }, (_, slot) => workOn(slot)))
const { user, system } = process.cpuUsage(before)
clearInterval(sampler)
await tracing.shutdown()
const bytes = [...bytesOf.values()].reduce((sum, each) => sum + each, 0)
console.log(
  JSON.stringify({
    plans: done,
    spans,
    cpuSeconds: (user + system) / 1e6,
    bytes,
    requests,
    memory,
    drops: dropCounts(),
  }),
)
