// Resumes the plan that was interrupted when node examples/long-plan.mjs was killed.
// node examples/long-plan-resume.mjs [PLAN_ID]
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { register, resume } from '@planspan/sdk'

const planId = process.argv[2] ?? 'plan-lisbon'
const token = readFileSync(join(tmpdir(), `${planId}.token`), 'utf8')

const tracing = await register({ serviceName: 'long-plan', snapshots: { heartbeatMillis: 2_000 } })
await resume(token, async (p) => {
  // The index identifies the step, so the agent of the killed process continues.
  await p.agent({ name: 'booker', step: 1 }, async (a) => {
    const result = await a.cycle((c) =>
      c.tool({ name: 'book', callId: 'call-2', arguments: { flight: 'TP 531' } }, async (t) => {
        const isApproved = await t.wait({ reason: 'tool_approval', title: 'Book TP 531 once more?' }, async (w) => {
          const asked = createInterface(process.stdin, process.stdout)
          const answer = await asked.question('Book TP 531 once more? [y/n] ')
          asked.close()
          w.answer({ resolution: answer === 'y' ? 'approved' : 'refused', actor: 'user' })
          return answer === 'y'
        })
        return isApproved ? 'booked' : 'left alone'
      }),
    )
    a.result(result)
  })
  p.summary('It took two processes.')
})
await tracing.shutdown()
console.log(`planspan show ${planId}`)
