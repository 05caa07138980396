import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type DecodeOptions } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { finalRow } from '../../support/live-rows.js'

const linesOf = (rows: readonly StoredSpan[], options: DecodeOptions = {}) =>
  decodeRecord(rows, { ...options, format: 'chat' })!
    .text.split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { messages: { role: string }[]; tools?: object[] })
const rowsOf = (text: string) => encodeRecords(Buffer.from(text)).next().value!.spans.map(toStoredSpan)
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/atif/${name}`, import.meta.url), 'utf8')

const said = (role: string, ...parts: object[]): string => JSON.stringify([{ role, parts }])
const text = (content: string) => ({ type: 'text', content })

const PLAN = [
  finalRow({ id: 'plan', role: 'plan', attributes: { [ATTR.inputMessages]: said('user', text('Find it')) } }),
  finalRow({ id: 'agent', role: 'agent', parent: 'plan' }),
  finalRow({ id: 'c0', role: 'think_act', parent: 'agent', start: 1 }),
  finalRow({
    id: 'l0',
    role: 'llm',
    parent: 'c0',
    start: 1,
    attributes: {
      [ATTR.systemInstructions]: JSON.stringify([text('Be brief.')]),
      [ATTR.toolDefinitions]: JSON.stringify([{ type: 'function', name: 'search', parameters: { type: 'object' } }]),
      [ATTR.inputMessages]: said('user', text('Find it')),
      [ATTR.outputMessages]: said('assistant', {
        type: 'tool_call',
        id: 'call-1',
        name: 'search',
        arguments: { q: 1 },
      }),
    },
  }),
  finalRow({
    id: 't0',
    role: 'tool',
    parent: 'c0',
    start: 2,
    attributes: {
      [ATTR.toolName]: 'search',
      [ATTR.toolCallId]: 'call-1',
      [ATTR.toolCallArguments]: '{"q":1}',
      [ATTR.toolCallResult]: 'here',
    },
  }),
  finalRow({ id: 'c1', role: 'think_act', parent: 'agent', start: 3 }),
  finalRow({
    id: 'l1',
    role: 'llm',
    parent: 'c1',
    start: 3,
    attributes: {
      [ATTR.inputMessages]: JSON.stringify([
        { role: 'user', parts: [text('Find it')] },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'call-1', name: 'search', arguments: { q: 1 } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call-1', response: 'here' }] },
      ]),
      [ATTR.outputMessages]: said('assistant', { type: 'reasoning', content: 'Hm.' }, text('It is here.')),
    },
  }),
]

const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'search', arguments: '{"q":1}' } }],
}
const TOOLS = [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }]

describe('a live plan as messages for training', () => {
  test('is a conversation with its calls, their results, and the tools', () => {
    expect(linesOf(PLAN)).toEqual([
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Find it' },
          CALL,
          { role: 'tool', tool_call_id: 'call-1', content: 'here' },
          { role: 'assistant', content: 'It is here.' },
        ],
        tools: TOOLS,
      },
    ])
  })

  test('is a line per model call, with the input of each', () => {
    const [first, second] = linesOf(PLAN, { chatUnit: 'call' })
    expect(first).toEqual({
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Find it' }, CALL],
      tools: TOOLS,
    })
    expect(second).toEqual({
      messages: [
        { role: 'user', content: 'Find it' },
        CALL,
        { role: 'tool', tool_call_id: 'call-1', content: 'here' },
        { role: 'assistant', content: 'It is here.' },
      ],
    })
  })

  test('has a conversation for each agent, which begins with its request', () => {
    const other = [
      finalRow({
        id: 'other',
        role: 'agent',
        parent: 'plan',
        start: 5,
        attributes: { [ATTR.inputMessages]: said('user', text('Sum up')) },
      }),
      finalRow({ id: 'c2', role: 'think_act', parent: 'other', start: 5 }),
      finalRow({
        id: 'l2',
        role: 'llm',
        parent: 'c2',
        start: 5,
        attributes: { [ATTR.outputMessages]: said('assistant', text('Done')) },
      }),
    ]
    const [first, second] = linesOf([...PLAN, ...other])
    expect(first!.messages).toHaveLength(5)
    expect(second!.messages).toEqual([
      { role: 'user', content: 'Sum up' },
      { role: 'assistant', content: 'Done' },
    ])
  })
})

describe('a trajectory as messages for training', () => {
  test('writes the trajectories of its subagents as separate lines', () => {
    expect(linesOf(rowsOf(fixture('harbor.json'))).map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'user', 'user', 'assistant'],
      ['system', 'user', 'assistant'],
    ])
  })

  test('assigns a result without a call id to the call without a result', () => {
    expect(linesOf(rowsOf(fixture('terminus.json')))[0]!.messages).toContainEqual({
      role: 'tool',
      tool_call_id: 'call_0_1',
      content: 'New Terminal Output:\nhello',
    })
  })

  test('marks copied context, which is excluded from training', () => {
    const step = { source: 'agent', message: 'Old' }
    const rows = rowsOf(
      JSON.stringify({
        schema_version: 'ATIF-v1.8',
        agent: { name: 'a', version: '1' },
        steps: [
          { step_id: 1, ...step, is_copied_context: true },
          { step_id: 2, ...step, message: 'New' },
        ],
      }),
    )
    expect(linesOf(rows)[0]!.messages).toEqual([
      { role: 'assistant', content: 'Old', weight: 0 },
      { role: 'assistant', content: 'New' },
    ])
    expect(linesOf(rows, { chatUnit: 'call' })).toHaveLength(1)
  })
})
