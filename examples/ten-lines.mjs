import { plan, register } from '@planspan/sdk'

await register({ serviceName: 'trip-agent' })

await plan({ workflow: 'trip', planId: 'plan-rome', title: 'A day in Rome', request: 'Plan a day in Rome.' }, (p) =>
  p.agent({ name: 'researcher', step: 0 }, (a) =>
    a.cycle(async (c) => {
      await c.model({ model: 'gpt-5.4-mini' }, async (m) => m.usage({ input: 1200, output: 80, cacheRead: 1000 }))
      await c.guardrail({ name: 'safepred' }, async (g) => g.risk({ score: 0.2, isSafe: true }))
      return c.tool({ name: 'search', callId: 'call-1', arguments: { query: 'Rome' } }, () => 'three museums')
    }),
  ),
)
