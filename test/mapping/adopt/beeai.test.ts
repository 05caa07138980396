import { expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { foreignSpan } from '../../support/foreign-span.js'

const span = (ids: readonly [number, number?], name: string, kind: string, more: Record<string, string> = {}) =>
  foreignSpan(ids, name, { 'openinference.span.kind': kind, ...more }, 'openinference.instrumentation.beeai')

it('reads BeeAI’s tool calls, and no span of an event as an agent or a call', () => {
  const spans = [
    span([1], 'researcher', 'AGENT', { 'agent.name': 'researcher' }),
    span([2, 1], 'OpenAIChatModel', 'LLM'),
    span([3, 1], 'search', 'TOOL', {
      'tool.name': 'search',
      'input.value': '{"input": {"query": "x"}, "options": null}',
    }),
    span([4, 3], 'error', 'TOOL', { 'metadata.path': 'tool.custom.search.error' }),
    span([5, 1], 'final_answer', 'AGENT', { 'metadata.path': 'agent.requirement.final_answer' }),
  ]
  expect(JSON.parse(decodeRecord(spans)?.text ?? 'null')).toMatchObject({
    agentExecutionSequence: [
      {
        agentName: 'researcher',
        thinkActSteps: [{ actToolInfoList: [{ name: 'search', parameters: '{"query":"x"}' }] }],
        subPlanExecutionRecords: [],
      },
    ],
  })
})
