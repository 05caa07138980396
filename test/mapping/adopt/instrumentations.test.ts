import { expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'

interface SpanInput {
  readonly name: string
  readonly scope?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly events?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly error?: string
  /** Milliseconds. @default 1 */
  readonly lasts?: number
  readonly below?: readonly SpanInput[]
}

/** The rows of a tree of spans, which begin in the order in which they are written. */
function rowsOf(tree: SpanInput): StoredSpan[] {
  const rows: StoredSpan[] = []
  const add = ({ name, scope, attributes, events, error, lasts = 1, below }: SpanInput, parentSpanId: string): void => {
    const spanId = String(rows.length + 1).padStart(16, '0')
    const start = BigInt(rows.length) * 1_000_000n
    rows.push({
      traceId: 'f'.repeat(32),
      spanId,
      parentSpanId,
      name,
      kind: 'Internal',
      startTimeUnixNano: start,
      endTimeUnixNano: start + BigInt(lasts) * 1_000_000n,
      statusCode: error === undefined ? 'UNSET' : 'ERROR',
      statusMessage: error ?? '',
      attributes: attributes ?? {},
      events: Object.entries(events ?? {}).map(([event, values]) => ({
        timeUnixNano: start,
        name: event,
        attributes: values,
      })),
      links: [],
      serviceName: 'shop',
      scopeName: scope ?? 'some',
      resourceAttributes: {},
    })
    for (const each of below ?? []) add(each, spanId)
  }
  add(tree, '')
  return rows
}

interface RecordJson {
  readonly userRequest?: string
  readonly summary?: string
  readonly agentExecutionSequence: readonly {
    readonly agentName: string
    readonly subPlanExecutionRecords: readonly RecordJson[]
    readonly thinkActSteps: readonly {
      readonly thinkOutput: string | null
      readonly planspan: { readonly modelCalls?: readonly Readonly<Record<string, unknown>>[] }
      readonly actToolInfoList:
        | readonly {
            readonly id: string
            readonly name: string
            readonly parameters: string
            readonly result: string
          }[]
        | null
    }[]
  }[]
}

/** The record of a trace in lines: its request, agents, cycles with tokens, tool calls, sub-plans and answer. */
function linesOf(tree: SpanInput): string[] {
  const decoded = decodeRecord(rowsOf(tree))
  const lines: string[] = []
  const addPlan = (plan: RecordJson, indent: string): void => {
    lines.push(`${indent}plan: ${plan.userRequest ?? '?'} → ${plan.summary ?? '?'}`)
    for (const { agentName, thinkActSteps, subPlanExecutionRecords } of plan.agentExecutionSequence) {
      lines.push(`${indent}agent ${agentName}`)
      for (const { thinkOutput, planspan, actToolInfoList } of thinkActSteps) {
        const tokens = (planspan.modelCalls ?? []).map((call) =>
          [call['model'], call['inputTokens'], call['outputTokens'], call['cacheReadTokens'] ?? 0].join(' '),
        )
        lines.push(`${indent}  cycle [${tokens.join(', ')}] ${thinkOutput ?? ''}`.trimEnd())
        for (const { id, name, parameters, result } of actToolInfoList ?? [])
          lines.push(`${indent}    ${name} ${id} ${parameters} → ${result}`)
      }
      for (const each of subPlanExecutionRecords) addPlan(each, `${indent}  `)
    }
  }
  addPlan(JSON.parse(decoded?.text ?? 'null') as RecordJson, '')
  return lines
}

const claude = (name: string, attributes: Record<string, string>, more: Partial<SpanInput> = {}): SpanInput => ({
  name: `claude_code.${name}`,
  attributes: { 'span.type': name, ...attributes },
  ...more,
})
const claudeCall = (input: string, output: string, cached: string): SpanInput =>
  claude('llm_request', {
    'gen_ai.request.model': 'claude',
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cached,
  })

it('reads the requests, calls, errors and sub-agents of Claude Code', () => {
  const calls = (id: string, failure?: string) => [
    claude('tool.blocked_on_user', { source: 'config', decision: 'accept' }),
    claude('tool.execution', { 'gen_ai.tool.call.id': id }, failure === undefined ? {} : { error: failure }),
  ]
  const tree = claude(
    'interaction',
    { user_prompt: 'What is new?' },
    {
      below: [
        claudeCall('39', '11', '64'),
        claude(
          'tool',
          { tool_name: 'Bash', full_command: 'ls', 'gen_ai.tool.call.id': 'toolu_1' },
          { events: { 'tool.output': { bash_command: 'ls', output: 'a b' } }, below: calls('toolu_1') },
        ),
        claude(
          'tool',
          { tool_name: 'Read', file_path: '/none', 'gen_ai.tool.call.id': 'toolu_2' },
          { below: calls('toolu_2', 'File does not exist.') },
        ),
        claudeCall('50', '12', '0'),
        claude(
          'tool',
          { tool_name: 'Agent', subagent_type: 'Explore', 'gen_ai.tool.call.id': 'toolu_3' },
          {
            below: [
              claude(
                'tool.execution',
                { 'gen_ai.tool.call.id': 'toolu_3' },
                {
                  below: [
                    claudeCall('7', '1', '0'),
                    claude('tool', { tool_name: 'Read', file_path: '/a', 'gen_ai.tool.call.id': 'toolu_4' }),
                  ],
                },
              ),
            ],
          },
        ),
      ],
    },
  )
  expect(linesOf(tree)).toEqual([
    'plan: What is new? → ?',
    'agent claude_code',
    '  cycle [claude 103 11 64]',
    '    Bash toolu_1 {"command":"ls"} → a b',
    '    Read toolu_2 {"file_path":"/none"} → Error: File does not exist.',
    '  cycle [claude 50 12 0]',
    '    Agent toolu_3 {"subagent_type":"Explore"} → null',
    '  plan: ? → ?',
    '  agent Explore',
    '    cycle [claude 7 1 0]',
    '      Read toolu_4 {"file_path":"/a"} → null',
  ])
})

const genkit = (
  kind: string,
  name: string,
  { input, output, below = [] }: { input: unknown; output: unknown; below?: readonly SpanInput[] },
): SpanInput => ({
  name,
  attributes: {
    ...(kind === 'util' ? { 'genkit:type': 'util' } : { 'genkit:type': 'action', 'genkit:metadata:subtype': kind }),
    'genkit:name': name,
    'genkit:input': JSON.stringify(input),
    'genkit:output': JSON.stringify(output),
  },
  below,
})

const genkitCall = (content: readonly object[], inputTokens: number): SpanInput =>
  genkit('model', 'm', {
    input: { messages: [{ role: 'user', content: [{ text: 'How is Rome?' }] }] },
    output: { message: { role: 'model', content }, usage: { inputTokens, outputTokens: 2, cachedContentTokens: 1 } },
  })

it('reads the flows, generations and tools of Genkit, each generation below the one before', () => {
  const asked = { toolRequest: { name: 'search', ref: 'call_1', input: { query: 'Rome' } } }
  const tree = genkit('flow', 'travel', {
    input: 'How is Rome?',
    output: 'Warm.',
    below: [
      genkit('util', 'generate', {
        input: {},
        output: {},
        below: [
          genkitCall([asked], 10),
          genkit('tool', 'search', { input: { query: 'Rome' }, output: '30 degrees' }),
          genkit('util', 'generate', { input: {}, output: {}, below: [genkitCall([{ text: 'Warm.' }], 20)] }),
        ],
      }),
    ],
  })
  expect(linesOf(tree)).toEqual([
    'plan: How is Rome? → Warm.',
    'agent travel',
    '  cycle [m 10 2 1]',
    '    search call_1 {"query":"Rome"} → 30 degrees',
    '  cycle [m 20 2 1] Warm.',
  ])
})

it('takes a chain of model and tool calls in a tool call as the agent that the tool calls', () => {
  const asked = (name: string) => ({ toolRequest: { name, ref: `id-${name}`, input: {} } })
  const tree = genkit('flow', 'boss', {
    input: 'Is it a buy?',
    output: 'Yes.',
    below: [
      genkitCall([asked('ask')], 10),
      genkit('tool', 'ask', {
        input: {},
        output: 'Cheap.',
        below: [
          genkit('flow', 'analyst', {
            input: 'How is it valued?',
            output: 'Cheap.',
            below: [genkitCall([asked('search')], 20), genkit('tool', 'search', { input: {}, output: 'P/E 11' })],
          }),
        ],
      }),
    ],
  })
  expect(linesOf(tree)).toEqual([
    'plan: Is it a buy? → Yes.',
    'agent boss',
    '  cycle [m 10 2 1]',
    '    ask id-ask {} → Cheap.',
    '  plan: How is it valued? → Cheap.',
    '  agent analyst',
    '    cycle [m 20 2 1]',
    '      search id-search {} → P/E 11',
  ])
})

it.each([
  ['partial', 'has', '30'],
  ['redacted', 'has not', '10'],
])('is %s if a model call lasts while its tools run and the agent %s more tokens', (verdict, _, total) => {
  const counts = (input: string) => ({ 'usage.prompt_tokens': input, 'usage.completion_tokens': '2' })
  const part = (kind: string, attributes: Record<string, string>, lasts: number): SpanInput => ({
    name: kind,
    attributes: { 'entity.type': 'agent', 'entity.name': 'guide', 'span.type': kind, ...attributes },
    lasts,
  })
  const tree: SpanInput = {
    name: 'guide',
    attributes: { 'entity.type': 'agent', 'entity.name': 'guide', input: 'Where?', output: 'There.', ...counts(total) },
    below: [
      part('llm', { 'llm.model': 'm', 'llm.messages': '[{"role":"user","content":"Where?"}]', ...counts('10') }, 9),
      part('tool', { 'tool.name': 'search', 'tool.call.id': '1', input: '{}', output: 'there' }, 1),
    ],
  }
  expect(decodeRecord(rowsOf(tree))).toMatchObject({
    verdict,
    missing: total === '30' ? ['the single model calls in "llm"'] : [],
  })
})

it('reads the agents, calls and sub-agents of VoltAgent, whose spans all name the first agent', () => {
  const volt = (name: string, attributes: Record<string, string>, below: readonly SpanInput[] = []): SpanInput => ({
    name,
    attributes: { 'entity.type': 'agent', 'entity.name': 'boss', ...attributes },
    below,
  })
  const call = {
    'span.type': 'llm',
    'llm.model': 'm',
    'llm.messages': '[{"role":"user","content":"Is it a buy?"}]',
    'llm.usage.prompt_tokens': '10',
    'llm.usage.completion_tokens': '2',
    'llm.usage.cached_tokens': '4',
  }
  const tool = (name: string, below: readonly SpanInput[] = []) =>
    volt(
      `tool.execution:${name}`,
      {
        'span.type': 'tool',
        'tool.name': name,
        'tool.call.id': `id-${name}`,
        'tool.parameters': '{"def":{"type":"object"}}',
        input: '{"query":"x"}',
        output: 'found',
      },
      below,
    )
  const analyst = volt('subagent:analyst', { 'subagent.name': 'analyst', input: 'x', output: 'Cheap.' }, [
    volt('llm:generateText', call),
  ])
  const memory = volt('memory.read', { 'span.type': 'memory', input: '{}', output: '[]' })
  const tree = volt('boss', { input: 'Is it a buy?', output: 'Yes.' }, [
    memory,
    volt('llm:generateText', call),
    tool('ask', [analyst]),
  ])
  expect(linesOf(tree)).toEqual([
    'plan: Is it a buy? → Yes.',
    'agent boss',
    '  cycle [m 10 2 4]',
    '    ask id-ask {"query":"x"} → found',
    '  plan: x → Cheap.',
    '  agent analyst',
    '    cycle [m 10 2 4]',
  ])
})

it('reads Gemini’s answers in ADK, and a tool call that failed before its span had attributes', () => {
  const answer = (parts: readonly object[]) => JSON.stringify({ content: { role: 'model', parts } })
  const call = (parts: readonly object[], below: readonly SpanInput[] = []): SpanInput => ({
    name: 'call_llm',
    attributes: {
      'gen_ai.request.model': 'gemini',
      'gen_ai.usage.input_tokens': '10',
      'gen_ai.usage.output_tokens': '2',
      'gcp.vertex.agent.llm_request': '{"contents":[{"role":"user","parts":[{"text":"How is Rome?"}]}]}',
      'gcp.vertex.agent.llm_response': answer(parts),
    },
    below,
  })
  const tree = {
    name: 'invoke_agent guide',
    below: [
      call(
        [{ functionCall: { id: 'call_1', name: 'search', args: { query: 'Rome' } } }],
        [{ name: 'execute_tool search' }],
      ),
      call([{ text: 'Warm.' }]),
    ],
  }
  expect(linesOf(tree)).toEqual([
    'plan: How is Rome? → Warm.',
    'agent guide',
    '  cycle [gemini 10 2 0]',
    '    search call_1 {"query":"Rome"} → null',
    '  cycle [gemini 10 2 0] Warm.',
  ])
})

it('is partial if the input of a model call contains the result of a tool that ran during it', () => {
  const input = [
    { role: 'assistant', parts: [{ type: 'tool_call', id: '1', name: 'search', arguments: {} }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'there' }] },
  ]
  const tree: SpanInput = {
    name: 'guide',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.output.messages': answer('There.') },
    lasts: 9,
    below: [
      {
        name: 'chat',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': JSON.stringify(input),
          'gen_ai.output.messages': answer('There.'),
        },
        lasts: 8,
        below: [
          {
            name: 'search',
            attributes: {
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': 'search',
              'gen_ai.tool.call.id': '1',
              'gen_ai.tool.call.arguments': '{}',
              'gen_ai.tool.call.result': 'there',
            },
          },
        ],
      },
    ],
  }
  expect(decodeRecord(rowsOf(tree))).toMatchObject({
    verdict: 'partial',
    missing: ['the single model calls in "chat"'],
  })
})

const answer = (content: string): string => JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content }] }])

it('is partial if an agent has tokens, but no model calls', () => {
  const tree: SpanInput = {
    name: 'query',
    attributes: {
      'openinference.span.kind': 'AGENT',
      'input.value': 'Where?',
      'output.value': 'There.',
      'llm.token_count.prompt': '30',
      'llm.token_count.completion': '3',
    },
    below: [
      {
        name: 'search',
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.name': 'search',
          'input.value': '{}',
          'output.value': 'there',
        },
      },
    ],
  }
  expect(decodeRecord(rowsOf(tree))).toMatchObject({ verdict: 'partial', missing: ['the model calls of "query"'] })
})

it('reads the agents of a LangGraph swarm without its router and the tools that hand over', () => {
  const at = (name: string) => JSON.stringify({ thread_id: '1', langgraph_node: name })
  const call = (name: string, result: string): SpanInput => ({
    name: `execute_tool ${name}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.arguments': '{}',
      'gen_ai.tool.call.result': result,
    },
  })
  const agent = (name: string, below: readonly SpanInput[]): SpanInput => ({
    name,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
    below,
  })
  const tree: SpanInput = {
    name: 'swarm',
    attributes: { 'openinference.span.kind': 'CHAIN', 'input.value': 'Hello', 'output.value': 'Done' },
    below: [
      {
        name: 'route_to_active_agent',
        attributes: { 'openinference.span.kind': 'AGENT', 'output.value': 'desk', metadata: at('__start__') },
      },
      agent('desk', [call('transfer_to_claims', '{"output": {"graph": "__parent__"}}')]),
      agent('claims', [call('transfer_to_savings', '12 EUR')]),
    ],
  }
  const { agentExecutionSequence } = JSON.parse(decodeRecord(rowsOf(tree))?.text ?? '') as RecordJson
  expect(
    agentExecutionSequence.map(({ agentName, thinkActSteps }) => [
      agentName,
      ...thinkActSteps.flatMap(({ actToolInfoList }) => actToolInfoList ?? []).map(({ name }) => name),
    ]),
  ).toEqual([['desk'], ['claims', 'transfer_to_savings']])
})

it('reads the calls of LlamaIndex under Traceloop, which writes them beside an empty answer and on tasks', () => {
  const task = (attributes: Record<string, string>, below: readonly SpanInput[] = []): SpanInput => ({
    name: 'AgentWorkflow.task',
    attributes: { 'traceloop.span.kind': 'task', ...attributes },
    below,
  })
  const asked = { id: 'call-1', type: 'function', function: { name: 'quote', arguments: '{"of":"gold"}' } }
  const tree: SpanInput = {
    name: 'AgentWorkflow.workflow',
    attributes: { 'traceloop.span.kind': 'workflow' },
    below: [
      task({
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages': '[{"role":"assistant","parts":[],"finish_reason":"tool_call"}]',
        'traceloop.entity.output': JSON.stringify({ message: { role: 'assistant', tool_calls: [asked] } }),
      }),
      task(
        {
          'tool.name': 'quote',
          'tool.arguments': '{"of":"gold"}',
          'traceloop.entity.output': JSON.stringify({
            tool_id: 'call-1',
            tool_output: { blocks: [{ block_type: 'text', text: '121 EUR' }], raw_output: '121 EUR' },
          }),
        },
        [task({ 'traceloop.entity.name': 'FunctionTool.task' })],
      ),
    ],
  }
  const { agentExecutionSequence } = JSON.parse(decodeRecord(rowsOf(tree))?.text ?? '') as RecordJson
  expect(agentExecutionSequence[0]?.thinkActSteps.map(({ actToolInfoList }) => actToolInfoList)).toMatchObject([
    [{ id: 'call-1', name: 'quote', parameters: '{"of":"gold"}', result: '121 EUR' }],
  ])
})

it('counts a call once that its server records beside it without the prefix and the id', () => {
  const tree: SpanInput = {
    name: 'query',
    attributes: { 'openinference.span.kind': 'AGENT', 'input.value': 'Safe?', 'output.value': 'Yes' },
    lasts: 9,
    below: [
      {
        name: 'mcp__t__survey',
        attributes: { 'openinference.span.kind': 'TOOL', 'tool.id': 'call-1', 'tool.name': 'mcp__t__survey' },
        lasts: 5,
      },
      {
        name: 'tools/call survey',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'survey',
          'mcp.method.name': 'tools/call',
        },
      },
    ],
  }
  const { agentExecutionSequence } = JSON.parse(decodeRecord(rowsOf(tree))?.text ?? '') as RecordJson
  expect(agentExecutionSequence[0]?.thinkActSteps.flatMap(({ actToolInfoList }) => actToolInfoList)).toMatchObject([
    { id: 'call-1', name: 'mcp__t__survey' },
  ])
})
