// A stand-in for a Lynxe server, with plans of which some run, as a process of its own. It tells its URL, and to each
// message how much was asked and answered so far.
import { readFile } from 'node:fs/promises'

import { startLynxe } from '../../test/support/lynxe-server.mjs'

const [count, running] = process.argv.slice(2).map(Number)
const CONVERSATIONS = 15
const TICK_MS = 1_000

const answers = JSON.parse(
  await readFile(new URL('../../test/originals/data/lynxe.json', import.meta.url), 'utf8'),
).answers

/** A run that Lynxe recorded, with ids of its own. */
function planOf(run, id) {
  const { details, agentExecutions } = answers[run]
  const fill = (plan) => ({
    ...plan,
    agentExecutionSequence: plan.agentExecutionSequence.map((agent) => ({
      ...agent,
      stepId: `${agent.stepId}-${id}`,
      thinkActSteps: agentExecutions[agent.stepId]?.thinkActSteps ?? [],
      subPlanExecutionRecords: agent.subPlanExecutionRecords.map(fill),
    })),
  })
  return { ...structuredClone(fill(details)), currentPlanId: id, rootPlanId: id }
}

const lynxe = await startLynxe()
for (let n = 0; n < count; n++) {
  const id = `plan-${n}`
  lynxe.plans.set(id, planOf(n < running ? 'a plan in flight' : 'a plan with a sub-plan', id))
  const conversation = `conversation-${n % CONVERSATIONS}`
  lynxe.conversations.set(conversation, [...(lynxe.conversations.get(conversation) ?? []), id])
}

// Each second a running plan's agent has called its tool again.
setInterval(() => {
  for (let n = 0; n < running; n++) {
    const agent = lynxe.plans.get(`plan-${n}`).agentExecutionSequence.find(({ status }) => status === 'RUNNING')
    const [cycle] = agent.thinkActSteps
    const [call] = cycle.actToolInfoList
    agent.thinkActSteps.push({
      ...cycle,
      id: cycle.id + agent.thinkActSteps.length,
      actToolInfoList: [{ ...call, id: `toolcall-${Date.now()}_${n}_1` }],
    })
  }
}, TICK_MS)

process.on('message', () => process.send({ requests: lynxe.requests.splice(0) }))
process.on('disconnect', () => process.exit())
process.send({ url: lynxe.url })
