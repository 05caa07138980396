import { describe, expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { foreignSpan as span } from '../../support/foreign-span.js'

const asked = { role: 'user', meta: {}, content: [{ text: 'How much is BABA?' }] }
const call = { tool_name: 'search', arguments: { query: 'BABA' }, id: 'call_1', extra: null }
const searching = { role: 'assistant', meta: {}, content: [{ text: 'I search.' }, { tool_call: call }] }
const found = { role: 'tool', meta: {}, content: [{ tool_call_result: { result: 'no', origin: call, error: true } }] }
const answer = { role: 'assistant', meta: {}, content: [{ text: 'I do not know.' }] }

/** The names of Haystack's spans are the only sign of their kind. */
const model = (messages: readonly unknown[], reply: unknown) => ({
  'haystack.agent.step.llm.input': JSON.stringify({ messages, tools: [] }),
  'haystack.agent.step.llm.output': JSON.stringify({ replies: [reply] }),
})

const SPANS = [
  span([1], 'haystack.pipeline.run'),
  span([2, 1], 'haystack.component.run', { 'haystack.component.type': 'Agent', 'haystack.component.name': 'shopper' }),
  span([3, 2], 'haystack.agent.run', {
    'haystack.agent.input': JSON.stringify({ messages: [asked], streaming_callback: null }),
    'haystack.agent.output': JSON.stringify({ messages: [asked, searching, found, answer], step_count: 2 }),
  }),
  span([4, 3], 'haystack.agent.step', { 'haystack.agent.step': '0' }),
  span([5, 4], 'haystack.agent.step.llm', model([asked], searching)),
  span([6, 4], 'haystack.agent.step.tool', {
    'haystack.tool.name': 'search',
    'haystack.tool.error': 'true',
    'haystack.agent.step.tool.input': '{"query": "BABA"}',
    'haystack.agent.step.tool.output': 'no',
  }),
  span([7, 3], 'haystack.agent.step', { 'haystack.agent.step': '1' }),
  span([8, 7], 'haystack.agent.step.llm', model([asked, searching, found], answer)),
]

describe('Haystack', () => {
  const record = JSON.parse(decodeRecord(SPANS)?.text ?? 'null') as Record<string, unknown>

  it('is one plan with an agent, cycles, model calls and tool calls', () => {
    expect(record).toMatchObject({
      userRequest: 'How much is BABA?',
      summary: 'I do not know.',
      planspan: { foreign: { convention: 'haystack' }, modelCalls: 2 },
      agentExecutionSequence: [
        {
          agentName: 'shopper',
          result: 'I do not know.',
          thinkActSteps: [
            { thinkOutput: 'I search.', status: 'FAILED', actToolInfoList: [{ id: 'call_1', name: 'search' }] },
            { thinkOutput: 'I do not know.', status: 'SUCCESS' },
          ],
        },
      ],
    })
  })
})
