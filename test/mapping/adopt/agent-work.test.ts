import { expect, it } from 'vitest'

import { agent, chat, outline, rows, type SpanInput, tool } from '../../support/adopted-spans.js'

const at = (start: number, until: number) => ({ at: start, until })
const counted = (tokens: number) => ({ 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': String(tokens) })
const pairs = (...texts: string[]) =>
  texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? '']] : []))
const asking = (...calls: string[]) =>
  JSON.stringify([
    { role: 'assistant', parts: pairs(...calls).map(([id, name]) => ({ type: 'tool_call', id, name, arguments: {} })) },
  ])
const answering = (...results: string[]) =>
  JSON.stringify([
    { role: 'tool', parts: pairs(...results).map(([id, response]) => ({ type: 'tool_call_response', id, response })) },
  ])
const chain = (parent?: string) => ({ 'openinference.span.kind': 'CHAIN', ...(parent !== undefined && { parent }) })
const node = (name: string, parent: string) => ({
  'traceloop.span.kind': 'task',
  'traceloop.entity.name': name,
  parent,
})

it.each<[what: string, spans: Readonly<Record<string, SpanInput>>, lines: string[]]>([
  [
    'the work in a span beside an agent, which has its name, belongs to that agent',
    {
      a: { ...agent('lead'), ...at(0, 99) },
      c: { ...chat('a'), ...at(1, 2) },
      t: { ...tool('ask', 'a'), ...at(3, 20) },
      b: { ...agent('analyst', 't'), ...at(4, 19) },
      g: { ...node('analyst', 't'), ...at(5, 18) },
      d: { ...chat('g'), ...at(6, 7) },
      u: { ...tool('search', 'g'), ...at(8, 9) },
    },
    [
      'plan lead',
      '  agent lead',
      '    think_act',
      '      llm',
      '      tool ask',
      '        plan analyst',
      '          agent analyst',
      '            think_act',
      '              llm',
      '              tool search',
    ],
  ],
  [
    'each span belongs to an agent of its name that began before it',
    {
      w: { ...agent('team'), ...at(0, 99) },
      a: { ...agent('A', 'w'), ...at(1, 10) },
      g: { ...node('A', 'w'), ...at(1, 9) },
      c: { ...chat('g'), ...at(2, 3) },
      b: { ...agent('A', 'w'), ...at(11, 20) },
      h: { ...node('A', 'w'), ...at(12, 19) },
      d: { ...chat('h'), ...at(13, 14) },
    },
    ['plan team', '  agent A', '    think_act', '      llm', '  agent A', '    think_act', '      llm'],
  ],
  [
    'a graph within a node is no agent beside the agents that it contains',
    {
      p: { 'traceloop.span.kind': 'workflow', 'traceloop.workflow.name': 'magazine', ...at(0, 99) },
      n: { ...node('check', 'p'), ...at(1, 20) },
      a: { ...agent('check', 'n'), ...at(2, 19) },
      g: { ...node('check', 'n'), ...at(3, 18) },
      b: { ...agent('checker', 'g'), ...at(4, 17) },
      c: { ...chat('b'), ...at(5, 6) },
    },
    ['plan magazine', '  agent checker', '    think_act', '      llm'],
  ],
  [
    'an agent beside the agent that called it belongs to the call with its request or its answer',
    {
      p: { 'traceloop.span.kind': 'workflow', 'traceloop.workflow.name': 'desk', ...at(0, 99) },
      a: { ...agent('lead', 'p'), ...at(1, 90) },
      t: { ...tool('ask', 'a'), ...at(3, 20), 'gen_ai.tool.call.arguments': '{"input":"How much?"}' },
      u: { ...tool('ask again', 'a'), ...at(4, 21), 'gen_ai.tool.call.result': 'Cheap.' },
      b: { ...agent('first', 'p'), ...at(5, 19), 'input.value': 'How much?' },
      c: { ...agent('second', 'p'), ...at(6, 20), 'output.value': 'Cheap.' },
      d: { ...agent('third', 'p'), ...at(7, 18), 'input.value': 'Anything else?' },
      e: { ...agent('fourth', 'p'), ...at(8, 40), 'input.value': 'How much?' },
    },
    [
      'plan desk',
      '  agent lead',
      '    think_act',
      '      tool ask',
      '        plan first',
      '          agent first',
      '      tool ask again',
      '        plan second',
      '          agent second',
      '  agent third',
      '  agent fourth',
    ],
  ],
  [
    'an agent within the caller belongs to the call without a span that has its answer',
    {
      a: { ...agent('lead'), ...at(0, 99) },
      c: { ...chat('a'), ...at(1, 2), 'gen_ai.output.messages': asking('c1', 'ask first', 'c2', 'ask second') },
      b: { ...agent('second', 'a'), ...at(3, 9), 'output.value': 'Two.' },
      d: { ...chat('a'), ...at(20, 30), 'gen_ai.input.messages': answering('c1', 'One.', 'c2', 'Two.') },
    },
    [
      'plan lead',
      '  agent lead',
      '    think_act',
      '      llm',
      '      tool ask second',
      '        plan second',
      '          agent second',
      '      tool ask first',
      '    think_act',
      '      llm',
    ],
  ],
  [
    'a span with the tokens of several calls that it contains is an agent, and one around a single call is that call',
    {
      a: { ...counted(30), 'gen_ai.agent.name': 'seller' },
      b: { ...counted(10), parent: 'a' },
      c: chat('b'),
      t: tool('search', 'a'),
      d: { ...chat('a'), 'gen_ai.usage.input_tokens': '20' },
    },
    ['plan seller', '  agent seller', '    think_act', '      llm', '      tool search', '    think_act', '      llm'],
  ],
  [
    'an agent without a name has the name that all of its steps have',
    {
      a: { ...chain(), name: 'FunctionAgent.run', ...at(0, 99) },
      i: {
        ...chain('a'),
        ...at(1, 2),
        'output.value': "AgentInput(input=[Message(text='x')], current_agent_name='analyst')",
      },
      s: { ...chain('a'), ...at(3, 9), 'output.value': "AgentOutput(response=None, current_agent_name='analyst')" },
      c: { ...chat('s'), ...at(4, 5) },
    },
    ['plan analyst', '  agent analyst', '    think_act', '      llm'],
  ],
  [
    'work in a span of another name stays where it is',
    {
      a: { ...agent('A'), ...at(0, 99) },
      b: { ...agent('B', 'a'), ...at(1, 10) },
      g: { ...node('C', 'a'), ...at(2, 9) },
      c: { ...chat('g'), ...at(5, 6) },
    },
    ['plan A', '  agent A', '    think_act', '      plan B', '        agent B', '      llm'],
  ],
  [
    'the model and tool calls of a chain in a tool call belong to an agent that the tool called',
    {
      a: agent('lead'),
      c: chat('a'),
      t: tool('ask', 'a'),
      w: { 'openinference.span.kind': 'CHAIN', name: 'analyst.run', parent: 't' },
      x: { 'openinference.span.kind': 'CHAIN', parent: 'w' },
      d: chat('x'),
      u: tool('search', 'w'),
      v: tool('sum up', 'a'),
      y: { 'openinference.span.kind': 'CHAIN', parent: 'v' },
      e: chat('y'),
    },
    [
      'plan lead',
      '  agent lead',
      '    think_act',
      '      llm',
      '      tool ask',
      '        plan analyst',
      '          agent analyst',
      '            think_act',
      '              llm',
      '              tool search',
      '      tool sum up',
      '        llm',
    ],
  ],
  [
    'a plan’s own model calls beside agents belong to an agent of its own',
    {
      p: { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'crew' },
      c: chat('p'),
      a: agent('A', 'p'),
      d: chat('a'),
    },
    ['plan crew', '  agent crew', '    think_act', '      llm', '  agent A', '    think_act', '      llm'],
  ],
])('%s', (_, spans, lines) => {
  expect(outline(rows(spans))).toEqual(lines)
})

it('a thousand agents beside the calls that called them at once are sub-plans, each of its own call', () => {
  const says = (text: string) => JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }])
  const many = 1_000
  const spans: Record<string, SpanInput> = { a: { ...agent('lead'), ...at(0, 90_000) } }
  for (let n = 0; n < many; n++) {
    const asked = { 'gen_ai.tool.call.arguments': JSON.stringify({ input: `Do ${n}` }) }
    spans[`t${n}`] = { ...tool(`ask ${n}`, 'a'), ...asked, ...at(n, 80_000 - n) }
    const request = { 'gen_ai.input.messages': says(`Do ${many - 1 - n}`) }
    spans[`w${n}`] = { ...agent(`worker ${many - 1 - n}`, 'a'), ...request, ...at(10_000 + n, 60_000) }
  }
  const lines = outline(rows(spans))
  for (const n of [0, 500, many - 1]) {
    const call = lines.findIndex((line) => line.trim() === `tool ask ${n}`)
    expect(lines[call + 1]?.trim()).toBe(`plan worker ${n}`)
  }
})
