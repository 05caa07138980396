import { expect, it } from 'vitest'

import { agent, chat, outline, rows, type SpanInput, tool } from '../../support/adopted-spans.js'

const at = (start: number, until: number) => ({ at: start, until })
const named = (name: string) => ({ 'traceloop.association.properties.lc_agent_name': name })

it.each<[what: string, spans: Readonly<Record<string, SpanInput>>, lines: string[]]>([
  [
    'a call beside the agent that it names belongs to that agent',
    {
      a: { ...agent('lead'), ...at(0, 99) },
      c: { ...chat('a'), ...named('lead'), ...at(1, 2) },
      t: { ...tool('ask', 'a'), ...at(3, 20) },
      b: { ...agent('analyst', 't'), ...at(4, 19) },
      g: { name: 'execute_task analyst', parent: 't', ...at(5, 18) },
      d: { ...chat('g'), ...named('analyst'), ...at(6, 7) },
      u: { ...tool('search', 'g'), ...named('analyst'), ...at(8, 9) },
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
    'each call belongs to the agent of its name that worked at its time',
    {
      w: { ...agent('team'), ...at(0, 99) },
      a: { ...agent('A', 'w'), ...at(1, 10) },
      c: { ...chat('w'), ...named('A'), ...at(2, 3) },
      b: { ...agent('A', 'w'), ...at(11, 20) },
      d: { ...chat('w'), ...named('A'), ...at(12, 13) },
    },
    ['plan team', '  agent A', '    think_act', '      llm', '  agent A', '    think_act', '      llm'],
  ],
  [
    'a call that names an agent of another time stays where it is',
    {
      a: { ...agent('A'), ...at(0, 99) },
      b: { ...agent('B', 'a'), ...at(1, 2) },
      c: { ...chat('a'), ...named('B'), ...at(5, 6) },
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
