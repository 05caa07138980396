import { plan } from '@planspan/sdk'
import { AGENTS, ARGUMENTS, CYCLES, RESULT, STEPS, TEXT, TOOLS, USAGE } from './workload.mjs'

/**
 * The workload with planspan's live API.
 *
 * @param {string} planId
 * @param {() => unknown} [pause] What each call waits for.
 */
export const runPlan = (planId, pause) =>
  plan({ workflow: 'trip', planId, title: 'A trip', request: TEXT, conversationId: 'conv' }, async (p) => {
    await p.planning({ planner: 'planner' }, async (s) => {
      await s.model({ model: 'model-1', provider: 'anthropic', input: TEXT }, async (m) => {
        await pause?.()
        m.output(TEXT)
        m.usage(USAGE)
      })
      s.steps(STEPS)
    })
    for (let agent = 0; agent < AGENTS; agent++) {
      await p.agent({ name: 'researcher', step: agent, stepId: `step-${agent}`, request: TEXT }, async (a) => {
        for (let cycle = 0; cycle < CYCLES; cycle++) {
          await a.cycle(async (c) => {
            await c.model({ model: 'model-1', provider: 'anthropic', input: TEXT }, async (m) => {
              await pause?.()
              m.output(TEXT)
              m.usage(USAGE)
            })
            for (let tool = 0; tool < TOOLS; tool++) {
              await c.tool({ name: 'browse', callId: `call-${tool}`, arguments: ARGUMENTS }, async () => {
                await pause?.()
                return RESULT
              })
            }
          })
        }
        a.result(TEXT)
      })
    }
    p.summary(TEXT)
  })
