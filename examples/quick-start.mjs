// A plan with an agent, a model call and a tool call, for a program without an OpenTelemetry SDK.
// planspan serve   # in another terminal
// node examples/quick-start.mjs
import { plan, register } from '@planspan/sdk'

const tracing = await register({ serviceName: 'quick-start' })

const planId = await plan({ workflow: 'weather-report', request: 'How warm is it in Lisbon?' }, async (p) => {
  await p.planning({ planner: 'planner' }, async (s) => s.steps(['Look the temperature up', 'Answer']))
  await p.agent({ name: 'meteorologist', step: 0 }, async (a) => {
    await a.cycle(async (c) => {
      await c.model({ model: 'small-model', provider: 'example', input: 'Which tool helps?' }, async (m) => {
        m.output('The thermometer.')
        m.usage({ input: 120, output: 8 })
      })
      const { celsius } = await c.tool({ name: 'thermometer', arguments: { city: 'Lisbon' } }, readThermometer)
      a.result(`It is ${celsius} °C.`)
    })
  })
  p.summary('Answered after one look at the thermometer.')
  return p.planId
})

await tracing.shutdown()
console.log(`planspan show ${planId}`)

async function readThermometer() {
  return { city: 'Lisbon', celsius: 24 }
}
