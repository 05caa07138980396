import { expect, test } from 'vitest'
import { liveCheck, type OtlpValue } from './live-check.js'

const text = (stringValue: string): OtlpValue => ({ stringValue })

/** A span with a text attribute of each name, or with the given values. */
const span = (name: string, kind: number, attributes: Readonly<Record<string, string | OtlpValue>>) => ({
  name,
  kind,
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? text(value) : value,
  })),
})
const INTERNAL = 1
const CLIENT = 3
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'acme', 'gen_ai.request.model': 'm' }
const chat = (more: Readonly<Record<string, string | OtlpValue>> = {}) => span('chat m', CLIENT, { ...CHAT, ...more })

// weaver 0.25.1 has the same findings, except `required_attribute_not_present`, `span_kind` and `span_name`: it
// compares attributes with the registry, and no span with its definition. It calls `undefined_enum_variant`
// information.
test.each([
  ['a model call', chat(), []],
  ['an integral double', chat({ 'gen_ai.request.temperature': { intValue: 1 } }), []],
  ['a variable of a prompt', chat({ 'gen_ai.prompt.variable.city': 'Rome' }), []],
  ['an attribute of another namespace', chat({ 'acme.x': { intValue: 1 } }), []],
  ['an unknown attribute', chat({ 'gen_ai.request.mood': 'glad' }), ['missing_attribute: gen_ai.request.mood']],
  ['an unknown attribute of planspan', chat({ 'planspan.mood': 'glad' }), ['missing_attribute: planspan.mood']],
  ['a former name', chat({ 'gen_ai.system': 'acme' }), ['deprecated: gen_ai.system']],
  [
    'a number as text',
    chat({ 'gen_ai.usage.input_tokens': '7' }),
    ['type_mismatch: gen_ai.usage.input_tokens is string'],
  ],
  [
    'a fraction of a token',
    chat({ 'gen_ai.usage.input_tokens': { doubleValue: 0.5 } }),
    ['type_mismatch: gen_ai.usage.input_tokens is double'],
  ],
  [
    'an undefined value',
    chat({ 'gen_ai.output.type': 'smell' }),
    ['undefined_enum_variant: gen_ai.output.type = smell'],
  ],
  [
    'an attribute as a namespace',
    chat({ 'gen_ai.response.model.size': 'big' }),
    ['missing_attribute: gen_ai.response.model.size', 'illegal_namespace: gen_ai.response.model.size'],
  ],
  [
    'capital letters',
    chat({ 'gen_ai.requestModel': 'm' }),
    ['missing_attribute: gen_ai.requestModel', 'invalid_format: gen_ai.requestModel'],
  ],
  [
    'no provider',
    span('chat m', CLIENT, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }),
    ['required_attribute_not_present: gen_ai.provider.name'],
  ],
  ['another name', span('ask m', CLIENT, CHAT), ['span_name: ask m']],
  [
    'another kind',
    span('plan p', CLIENT, { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': 'p' }),
    ['span_kind: client'],
  ],
  [
    'an event',
    { ...chat(), events: [{ name: 'e', attributes: [{ key: 'mcp.x', value: text('') }] }] },
    ['missing_attribute: mcp.x'],
  ],
  [
    'an operation without a subject',
    span('invoke_workflow', INTERNAL, { 'gen_ai.operation.name': 'invoke_workflow' }),
    [],
  ],
  [
    'a skill',
    span('execute_tool load pdf', INTERNAL, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'load',
      'gen_ai.skill.name': 'pdf',
    }),
    [],
  ],
])('%s', (_, checked, findings) => {
  expect(liveCheck(checked)).toEqual(findings)
})
