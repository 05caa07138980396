import { expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { foreignSpan as span } from '../../support/foreign-span.js'

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.system': 'autogen' }
const tool = (name: string) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name })
const OWN = 'autogen-core'
const OTHER = 'openinference.instrumentation.autogen_agentchat'

it('does not count AutoGen’s handoffs as tool calls, from both instrumentations', () => {
  const spans = [
    span([1], 'Swarm.run_stream', { 'openinference.span.kind': 'CHAIN' }, OTHER),
    span([2, 1], 'invoke_agent triage', { ...agent, 'gen_ai.agent.name': 'triage' }, OWN),
    span([3, 2], 'chat', { 'gen_ai.operation.name': 'chat' }, OWN),
    span([4, 2], 'triage.x', { 'openinference.span.kind': 'TOOL', 'tool.name': 'transfer_to_refunds' }, OTHER),
    span([5, 4], 'execute_tool transfer_to_refunds', tool('transfer_to_refunds'), OWN),
    span([6, 1], 'invoke_agent refunds', { ...agent, 'gen_ai.agent.name': 'refunds' }, OWN),
    span([7, 6], 'chat', { 'gen_ai.operation.name': 'chat' }, OWN),
    span([8, 6], 'execute_tool refund', tool('refund'), OWN),
  ]
  expect(JSON.parse(decodeRecord(spans)?.text ?? 'null')).toMatchObject({
    agentExecutionSequence: [
      { agentName: 'triage', thinkActSteps: [{ actToolInfoList: null }] },
      { agentName: 'refunds', thinkActSteps: [{ actToolInfoList: [{ name: 'refund' }] }] },
    ],
  })
})
