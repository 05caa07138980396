import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeFields, llmFields } from '../../src/semconv/index.js'
import { plan } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

/** The attributes of a model call, as a store returns them. */
function attributesOf(record: { input?: unknown; output?: unknown }): Record<string, string> {
  plan({}, (p) =>
    p.planning({}, (s) =>
      s.model({ model: 'm', input: record.input }, (m) => {
        if (record.output !== undefined) m.output(record.output)
      }),
    ),
  )
  const { attributes } = sdk.span('chat m')
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]))
}

const text = (content: string) => ({ type: 'text', content })
const call = { type: 'tool_call', id: 'call-1', name: 'search', arguments: { query: 'Rome' } }
const answered = { type: 'tool_call_response', id: 'call-1', response: 'three museums' }
const assistant = (...parts: object[]) => [{ role: 'assistant', parts }]
const user = (...parts: object[]) => [{ role: 'user', parts }]
const tool = (...parts: object[]) => [{ role: 'tool', parts }]

const openAiCall = { id: 'call-1', type: 'function', function: { name: 'search', arguments: '{"query":"Rome"}' } }
const responsesCall = {
  type: 'function_call',
  id: 'fc-1',
  call_id: 'call-1',
  name: 'search',
  arguments: '{"query":"Rome"}',
}
const responsesMessage = {
  type: 'message',
  id: 'msg-1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Let me look.' }],
}
const toolUse = { type: 'tool_use', id: 'call-1', name: 'search', input: { query: 'Rome' } }
const functionCall = { functionCall: { id: 'call-1', name: 'search', args: { query: 'Rome' } } }
const sdkCall = { type: 'tool-call', toolCallId: 'call-1', toolName: 'search', input: { query: 'Rome' } }

describe('a model’s output, as parts of the GenAI conventions and as text for people', () => {
  test.each<[string, unknown, unknown, string]>([
    ['text', 'Hello', assistant(text('Hello')), 'Hello'],
    [
      'OpenAI: tool calls alone',
      { role: 'assistant', content: null, refusal: null, tool_calls: [openAiCall] },
      assistant(call),
      '',
    ],
    [
      'OpenAI: text and a tool call, in a list',
      [{ role: 'assistant', content: 'Let me look.', tool_calls: [openAiCall] }],
      assistant(text('Let me look.'), call),
      'Let me look.',
    ],
    ['OpenAI: a list of tool calls', [openAiCall], assistant(call), ''],
    [
      'OpenAI: a refusal',
      { role: 'assistant', content: null, refusal: 'I can’t.' },
      assistant(text('I can’t.')),
      'I can’t.',
    ],
    [
      'OpenAI: a whole response',
      {
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      },
      [{ ...assistant(text('Hi'))[0], finish_reason: 'stop' }],
      'Hi',
    ],
    [
      'OpenAI’s look-alikes: reasoning beside the text',
      { role: 'assistant', reasoning_content: 'Hm.', content: 'Yes' },
      assistant({ type: 'reasoning', content: 'Hm.' }, text('Yes')),
      'Yes',
    ],
    [
      'OpenAI: arguments that are no JSON, or hold a number that JavaScript can’t',
      {
        role: 'assistant',
        tool_calls: [
          { id: '1', function: { name: 'f', arguments: '{"query":' } },
          { id: '2', function: { name: 'f', arguments: '{"id":9007199254740993}' } },
        ],
      },
      assistant(
        { type: 'tool_call', id: '1', name: 'f', arguments: '{"query":' },
        { type: 'tool_call', id: '2', name: 'f', arguments: '{"id":9007199254740993}' },
      ),
      '',
    ],
    [
      'OpenAI Responses: the items of one answer',
      [
        { type: 'reasoning', id: 'rs-1', summary: [{ type: 'summary_text', text: 'Rome, then.' }] },
        responsesMessage,
        responsesCall,
      ],
      assistant({ type: 'reasoning', id: 'rs-1', content: 'Rome, then.' }, text('Let me look.'), call),
      'Let me look.',
    ],
    ['OpenAI Responses: a function call alone', responsesCall, assistant(call), ''],
    [
      'OpenAI Responses: a whole response',
      { object: 'response', id: 'resp-1', output: [responsesCall] },
      assistant(call),
      '',
    ],
    [
      'Anthropic: the content of an answer',
      [{ type: 'thinking', thinking: 'Rome, then.', signature: 's' }, { type: 'text', text: 'Let me look.' }, toolUse],
      assistant({ type: 'reasoning', content: 'Rome, then.', signature: 's' }, text('Let me look.'), call),
      'Let me look.',
    ],
    [
      'Anthropic: a whole response',
      {
        id: 'msg-1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [toolUse],
        stop_reason: 'tool_use',
        usage: {},
      },
      [{ ...assistant(call)[0], finish_reason: 'tool_use' }],
      '',
    ],
    [
      'Gemini: a content',
      { role: 'model', parts: [{ text: 'Rome, then.', thought: true }, { text: 'Let me look.' }, functionCall] },
      assistant({ type: 'reasoning', content: 'Rome, then.' }, text('Let me look.'), call),
      'Let me look.',
    ],
    [
      'Gemini: a whole response',
      { candidates: [{ content: { parts: [functionCall], role: 'model' }, finishReason: 'STOP' }], modelVersion: 'g' },
      [{ ...assistant(call)[0], finish_reason: 'STOP' }],
      '',
    ],
    [
      'Gemini: the response of the Agent Development Kit',
      { content: { parts: [functionCall], role: 'model' }, usageMetadata: {}, finishReason: 'STOP' },
      [{ ...assistant(call)[0], finish_reason: 'STOP' }],
      '',
    ],
    [
      'Anthropic: a tool that the provider ran',
      [
        { type: 'server_tool_use', id: 'srv-1', name: 'web_search', input: { query: 'Rome' } },
        { type: 'web_search_tool_result', tool_use_id: 'srv-1', content: [{ type: 'web_search_result', url: 'u' }] },
      ],
      [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'srv-1', name: 'web_search', arguments: { query: 'Rome' } }],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool_call_response', id: 'srv-1', response: [{ type: 'web_search_result', url: 'u' }] }],
        },
      ],
      '',
    ],
    [
      'OpenAI Responses: tools that the provider ran',
      [
        { type: 'web_search_call', id: 'ws-1', action: { type: 'search', query: 'Rome' }, status: 'completed' },
        { type: 'mcp_call', id: 'mcp-1', name: 'find', arguments: '{"q":"Rome"}', output: 'found' },
      ],
      assistant(
        { type: 'tool_call', id: 'ws-1', name: 'web_search', arguments: { type: 'search', query: 'Rome' } },
        { type: 'tool_call_response', id: 'ws-1', response: 'completed' },
        { type: 'tool_call', id: 'mcp-1', name: 'find', arguments: { q: 'Rome' } },
        { type: 'tool_call_response', id: 'mcp-1', response: 'found' },
      ),
      '',
    ],
    [
      'the AI SDK: a message',
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Rome, then.' }, { type: 'text', text: 'Let me look.' }, sdkCall],
      },
      assistant({ type: 'reasoning', content: 'Rome, then.' }, text('Let me look.'), call),
      'Let me look.',
    ],
    [
      'the AI SDK: a tool call as its version 4 has it',
      [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'search', args: { query: 'Rome' } }],
      assistant(call),
      '',
    ],
    [
      'the AI SDK: a result',
      { text: '', content: [sdkCall], finishReason: 'tool-calls', usage: {} },
      [{ ...assistant(call)[0], finish_reason: 'tool-calls' }],
      '',
    ],
    ['the conventions: parts as they should be', assistant(text('Hi'), call), assistant(text('Hi'), call), 'Hi'],
    ['data of the user’s own', { museums: 3 }, assistant(text('{"museums":3}')), '{"museums":3}'],
    [
      'data of the user’s own with a role',
      { role: 'admin', content: 'x' },
      assistant(text('{"role":"admin","content":"x"}')),
      '{"role":"admin","content":"x"}',
    ],
    [
      'a list of the user’s own',
      [{ type: 'text', label: 'x' }],
      assistant(text('[{"type":"text","label":"x"}]')),
      '[{"type":"text","label":"x"}]',
    ],
  ])('%s', (_what, output, messages, read) => {
    const attributes = attributesOf({ output })
    expect(JSON.parse(attributes['gen_ai.output.messages'] ?? '')).toEqual(messages)
    expect(decodeFields(llmFields, attributes).output).toBe(read)
  })
})

describe('a model’s input, as messages of the GenAI conventions and as text for people', () => {
  test.each<[string, unknown, unknown, string]>([
    ['one message', { role: 'user', content: 'Rome?' }, user(text('Rome?')), 'Rome?'],
    [
      'OpenAI: a tool’s answer',
      [
        { role: 'developer', content: 'Be brief' },
        { role: 'user', content: [{ type: 'text', text: 'Rome?' }] },
        { role: 'assistant', content: null, tool_calls: [openAiCall] },
        { role: 'tool', tool_call_id: 'call-1', content: 'three museums' },
      ],
      [{ role: 'developer', parts: [text('Be brief')] }, ...user(text('Rome?')), ...assistant(call), ...tool(answered)],
      'Be brief\nRome?',
    ],
    [
      'OpenAI Responses: messages and items',
      [
        { role: 'user', content: 'Rome?' },
        responsesCall,
        { type: 'function_call_output', call_id: 'call-1', output: 'three museums' },
      ],
      [...user(text('Rome?')), ...assistant(call), ...tool(answered)],
      'Rome?',
    ],
    [
      'Anthropic: a tool’s result',
      [
        { role: 'user', content: 'Rome?' },
        { role: 'assistant', content: [toolUse] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'three museums' }] }],
        },
      ],
      [...user(text('Rome?')), ...assistant(call), ...user(answered)],
      'Rome?',
    ],
    [
      'Gemini: a function’s response',
      [
        { role: 'user', parts: [{ text: 'Rome?' }, { inlineData: { mimeType: 'image/png', data: 'YWJj' } }] },
        { role: 'model', parts: [functionCall] },
        { role: 'user', parts: [{ functionResponse: { id: 'call-1', name: 'search', response: { found: 3 } } }] },
      ],
      [
        ...user(text('Rome?'), { type: 'blob', mime_type: 'image/png', modality: 'image', content: 'YWJj' }),
        ...assistant(call),
        ...user({ type: 'tool_call_response', id: 'call-1', name: 'search', response: { found: 3 } }),
      ],
      'Rome?',
    ],
    [
      'the AI SDK: a tool’s result',
      [
        { role: 'user', content: [{ type: 'text', text: 'Rome?' }] },
        { role: 'assistant', content: [sdkCall] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call-1',
              toolName: 'search',
              output: { type: 'text', value: 'three museums' },
            },
          ],
        },
      ],
      [...user(text('Rome?')), ...assistant(call), ...tool(answered)],
      'Rome?',
    ],
    [
      'parts of a kind that no table knows',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
      user({ type: 'image_url', image_url: { url: 'x' } }),
      '',
    ],
  ])('%s', (_what, input, messages, read) => {
    const attributes = attributesOf({ input })
    expect(JSON.parse(attributes['gen_ai.input.messages'] ?? '')).toEqual(messages)
    expect(decodeFields(llmFields, attributes).input).toBe(read)
  })
})

test.each<[string, unknown, unknown]>([
  ['text', 'Be brief', [text('Be brief')]],
  [
    'Anthropic: blocks',
    [{ type: 'text', text: 'Be brief', cache_control: {} }],
    [{ ...text('Be brief'), cache_control: {} }],
  ],
  ['Gemini: a content', { parts: [{ text: 'Be brief' }] }, [text('Be brief')]],
  ['OpenAI: a message', { role: 'system', content: 'Be brief' }, [text('Be brief')]],
])('instructions as %s become parts', (_what, system, parts) => {
  const tools = [{ name: 'search', description: 'Searches', input_schema: { type: 'object' } }]
  plan({}, (p) => p.planning({}, (s) => s.model({ model: 'm', system, tools }, () => undefined)))
  const { attributes } = sdk.span('chat m')
  expect(JSON.parse(String(attributes['gen_ai.system_instructions']))).toEqual(parts)
  expect(JSON.parse(String(attributes['gen_ai.tool.definitions']))).toEqual(tools)
})
