// An agent with plans that run at once; each tool call carries the time of its beginning, and its result that of its
// end.
import { setTimeout as delay } from 'node:timers/promises'

import { plan, register } from '@planspan/sdk'

const { url, plans, seconds, prefix, snapshots } = JSON.parse(process.argv[2])
const registration = await register({ url, serviceName: 'bench-agent', snapshots })
const end = Date.now() + seconds * 1000

async function run(number) {
  await delay((number / plans) * 1000)
  await plan({ workflow: 'bench', planId: `${prefix}-${number}`, title: 'A plan' }, async (p) => {
    await p.planning({ planner: 'planner' }, async (s) => s.steps(['Look', 'Look again']))
    for (let step = 0; Date.now() < end; step++) {
      await p.agent({ name: 'researcher', step }, async (a) => {
        await a.cycle(async (c) => {
          await c.model({ model: 'gpt-5.4-mini' }, async (m) => m.usage({ input: 1200, output: 80 }))
          await c.tool({ name: 'browse', arguments: { begun: Date.now() } }, async () => {
            await delay(1000 + Math.random() * 1000)
            return { over: Date.now() }
          })
        })
      })
    }
  })
}

await Promise.all(Array.from({ length: plans }, (_, number) => run(number)))
await registration.shutdown()
