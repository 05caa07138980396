// A plan that asks a person, then waits for a tool call. Answer the question, kill the program with the printed
// command, and run planspan show plan-lisbon: after some seconds the plan is interrupted.
// node examples/long-plan-resume.mjs resumes it.
// node examples/long-plan.mjs [PLAN_ID]
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { plan, register } from '@planspan/sdk'

const planId = process.argv[2] ?? 'plan-lisbon'
const steps = ['Find a flight', 'Book it']

await register({ serviceName: 'long-plan', snapshots: { heartbeatMillis: 2_000 } })
await plan({ workflow: 'trip', planId, title: 'A trip to Lisbon', request: 'Book me a flight.' }, async (p) => {
  // A real agent stores the token in its database, with its other data about the plan.
  writeFileSync(join(tmpdir(), `${planId}.token`), p.token)
  await p.planning({ planner: 'planner' }, async (s) => s.steps(steps))
  const formInputs = [{ label: 'Day', type: 'date' }]
  const day = await p.wait({ reason: 'form_input', title: 'When do you want to fly?', formInputs }, async (w) => {
    const answer = await createInterface(process.stdin, process.stdout).question('When do you want to fly? ')
    w.answer({ resolution: 'submitted', actor: 'user', formInputs: [{ ...formInputs[0], value: answer }] })
    return answer
  })
  await p.agent({ name: 'researcher', step: 0, request: steps[0] }, async (a) => {
    await a.cycle((c) => c.tool({ name: 'search', arguments: { to: 'LIS', day } }, () => 'TP 531 at 9:40'))
    a.result('TP 531 at 9:40')
  })
  await p.agent({ name: 'booker', step: 1, request: steps[1] }, (a) =>
    a.cycle((c) =>
      c.tool({ name: 'book', callId: 'call-1', arguments: { flight: 'TP 531', day } }, async () => {
        console.log(`The airline does not answer. Try: kill -9 ${process.pid}`)
        await new Promise((resolve) => setTimeout(resolve, 3_600_000))
      }),
    ),
  )
})
