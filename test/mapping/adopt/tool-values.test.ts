import { expect, it } from 'vitest'

import { saysError, toolArguments, toolResult } from '../../../src/mapping/adopt/values/tool-values.js'

const MESSAGE = { content: 'sunny', tool_call_id: 'call-1', status: 'success' }

it.each<[what: string, written: unknown]>([
  ['text as JSON', 'sunny'],
  ['a message of LangChain as JS serializes it', { lc: 1, type: 'constructor', id: ['ToolMessage'], kwargs: MESSAGE }],
  ['the same inside of an output', { output: { lc: 1, type: 'constructor', id: ['ToolMessage'], kwargs: MESSAGE } }],
  ['one as Python serializes it', { type: 'tool', data: MESSAGE }],
  ['one of LangSmith', { output: MESSAGE }],
  ['the answer of Google’s tools', { id: 'call-1', name: 'weather', response: 'sunny' }],
  ['the same around a function’s text', { id: 'call-1', name: 'weather', response: { result: 'sunny' } }],
  ['a list of one text', [{ text: 'sunny' }]],
  ['the wrapper of a function’s text', { result: 'sunny' }],
  ['the result of AgentScope’s tools', { content: [{ type: 'text', text: 'sunny' }], state: 'success', id: 'call-1' }],
  ['a part with text', { type: 'text', text: 'sunny' }],
])('a tool’s result is read from %s', (_, written) => {
  expect(toolResult(JSON.stringify(written))).toBe('sunny')
})

it.each(['sunny', '{"output":{"sky":"clear"}}', '[1,2]', '"', '"a" and "b"', '12', ''])(
  'a result without a wrapper is unchanged: %s',
  (text) => {
    expect(toolResult(text)).toBe(text)
  },
)

it.each<[what: string, written: unknown]>([
  ['what smolagents writes', { args: [], kwargs: { city: 'Rome' }, sanitize_inputs_outputs: true }],
  ['what BeeAI writes', { input: { city: 'Rome' }, options: null }],
  ['what LlamaIndex writes', { kwargs: { city: 'Rome', ctx: '<workflows.context.Context object at 0x7f56>' } }],
  ['the arguments alone', { city: 'Rome' }],
])('a tool’s arguments are read from %s', (_, written) => {
  expect(toolArguments(JSON.stringify(written))).toBe('{"city":"Rome"}')
})

it.each([
  ['{"status":"error","content":"boom"}', true],
  ['{"content":[{"type":"text","text":"boom"}],"isError":true}', true],
  ['{"content":[{"type":"text","text":"sunny"}],"isError":false}', false],
  ['{"content":[{"type":"text","text":"boom"}],"state":"error"}', true],
  ['{"content":[{"type":"text","text":"sunny"}],"state":"success"}', false],
  ['{"status":"error","error_message":"boom"}', true],
  ['{"status":"error"}', false],
  ['{"error":"boom"}', true],
  ['{"id":"call-1","name":"weather","response":{"error":"boom"}}', true],
  ['{"id":"call-1","name":"weather","response":{"result":"sunny"}}', false],
  ['{"error":null}', false],
  ['{"error":"boom","result":"sunny"}', false],
])('whether a result is an error: %s', (text, isError) => {
  expect(saysError(text)).toBe(isError)
})
