// A process of agents with running plans, until its standard input ends; prints the plans that it has ended.
//   node test/kill/agents.mjs ENDPOINT PREFIX PLANS_AT_ONCE
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { dropCounts, plan, register } from '@planspan/sdk'

const [endpoint = '', prefix = '', atOnce = '3'] = process.argv.slice(2)
const tracing = await register({ endpoint, serviceName: 'agents' })
/** @type {string[]} */
const plans = []
const over = new AbortController()
process.stdin.once('end', () => over.abort()).resume()

/** @param {number} slot */
async function work(slot) {
  for (let number = 0; !over.signal.aborted; number++) {
    const planId = `${prefix}-${slot}-${number}`
    await plan({ workflow: 'endurance', planId, title: planId, request: 'Go on.' }, async (p) => {
      for (const step of [0, 1]) {
        await p.agent({ name: 'worker', step }, (a) =>
          a.cycle(async (c) => {
            await c.model({ model: 'model-1', input: 'And now?' }, async (m) => {
              await sleep(20 + Math.random() * 150)
              m.output('Search.')
            })
            await c.tool({ name: 'search', arguments: { planId, step } }, () => sleep(20 + Math.random() * 150))
          }),
        )
      }
    })
    plans.push(planId)
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, (_, slot) => work(slot)))
await tracing.shutdown()
const { export: undelivered, queue } = dropCounts()
process.stdout.write(JSON.stringify({ plans, undelivered: undelivered + queue }))
