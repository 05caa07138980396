// A plan that a person reviews, maybe days later. The run ends with a token and resumes with the answer; nothing stays
// in memory in the meantime. This program plays both the agent and the reviewer's web page.
// node examples/plan-review.mjs [PLAN_ID]
import process from 'node:process'
import { plan, register, resume } from '@planspan/sdk'

const planId = process.argv[2] ?? 'plan-review'
const tracing = await register({ serviceName: 'plan-review' })

/** Requests a review and ends the run. An agent would store the token in a database row or a link. */
const askFor = (/** @type {import('@planspan/sdk').PlanSpan} */ p, /** @type {string[]} */ steps) =>
  p.startWait({ reason: 'plan_review', title: 'Is this the plan?', formDescription: steps.join(', ') }).suspend()

const first = await plan({ workflow: 'report', planId, request: 'Report on our competitors.' }, async (p) => {
  const steps = ['Search the web', 'Write the report']
  await p.planning({ planner: 'planner' }, async (s) => s.steps(steps))
  return askFor(p, steps)
})

const second = await resume(
  first,
  { review: { action: 'REQUEST_CHANGES', feedback: 'Ask sales first.' }, answer: { actor: 'user' } },
  async (p) => {
    const steps = ['Ask sales', 'Search the web', 'Write the report']
    p.update({ planner: 'planner', reason: 'Ask sales first.', steps })
    return askFor(p, steps)
  },
)

await resume(second, { review: { action: 'ACCEPT_PLAN' }, answer: { actor: 'user' } }, async (p) => {
  await p.agent({ name: 'writer', step: 2 }, async (a) => a.result('The report.'))
  p.summary('Reported.')
})
await tracing.shutdown()
console.log(`planspan show ${planId}`)
